/** Heartbeats of the customers this person has claimed and not followed up. */
import { createLeaseKeeper, type LeaseFacts } from '#client/live/lease-keeper.ts'
import { call } from '#client/session/call.ts'
import { listTasks, renewTask } from '#shared/telemarketing/tele-api.ts'
import { TELE_FOLLOWED, TELE_TASK_ASSIGNED } from '#shared/telemarketing/tele-live.ts'
import { type Segment, SEGMENTS } from '#shared/telemarketing/tele-sets.ts'
import type { TeleRow } from './tele-types.ts'

const keeper = createLeaseKeeper({
  name: 'tele-leases',
  async renew(taskId, token, lastInputTime) {
    const { leaseUntil } = await call(renewTask, { taskId, token, lastInputTime }, { quiet: true })
    // followed up in the meantime: there is no lease to keep
    if (leaseUntil === null)
      keeper.track([{ id: taskId, version: Number.MAX_SAFE_INTEGER, isLeased: false }])
    return { leaseUntil: leaseUntil ?? '' }
  },
  held: async () => (await Promise.all(watched().map(ownOf))).flat().map(leaseOf),
  factsOf(event) {
    if (event.type !== TELE_TASK_ASSIGNED.type && event.type !== TELE_FOLLOWED.type) return null
    const { taskId, state, token, toUserId, userId, leaseUntil } = event.data as {
      taskId: string
      state: string
      token: number
      toUserId?: string | null
      userId?: string | null
      leaseUntil?: string | null
    }
    return {
      id: taskId,
      version: event.version ?? 0,
      holderId: toUserId ?? userId ?? null,
      token,
      isLeased: state === 'claimed',
      leaseUntil: leaseUntil ?? null,
    }
  },
  lostBy: ['M-OWN', 'M-LEASE', 'M-TASK', 'G404'],
})

/** Lists the person opened: only their claims are asked for. */
const opened = new Set<Segment>()
const watched = () => SEGMENTS.filter((segment) => opened.has(segment))

async function ownOf(segment: Segment): Promise<TeleRow[]> {
  return (await call(listTasks, { segment, lane: 'fresh' }, { quiet: true })).rows
}

export function startTeleLeases(userId: string, segment: Segment): void {
  opened.add(segment)
  keeper.start(userId)
}

export function trackTasks(rows: readonly TeleRow[]): void {
  keeper.track(rows.map(leaseOf))
}

export const onTeleLease = keeper.on
export const holdsTask = keeper.holds

function leaseOf({ taskId, assigneeId, token, version, state, leaseUntil }: TeleRow): LeaseFacts {
  return {
    id: taskId,
    version,
    holderId: assigneeId,
    token,
    isLeased: state === 'claimed',
    leaseUntil,
  }
}
