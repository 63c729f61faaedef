/**
 * Takes a configuration that fails out of use and tries it again gently. Its state is in the
 * database, by the database's clock: cores share it, and it outlives them.
 *
 *     closed --too many of the last calls failed--> open --the pause is over--> trying
 *     trying --a call failed--> open, for twice as long      trying --three succeeded--> closed
 *
 * While `trying` one call runs at a time. A trial whose process died counts as over after a minute,
 * which is longer than any time-out.
 */
import { sql } from 'kysely'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { BREAKER_STATES } from '#shared/vendors/vendor-kinds.ts'
import { SERVICE_ROOMS } from '../service-rooms.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'

/** The last calls that are judged, at most so old. */
const JUDGED = 20
const JUDGED_MINUTES = 5
const TRIAL_SECONDS = 60
const TRIALS = 3
const MENU = 'three_config'

export interface CallOutcome {
  cfgId: string
  /** `refused`: it answered that this piece of work cannot be done, as a working vendor does. */
  outcome: 'ok' | 'refused' | 'failed' | 'timeout'
  ms: number
  /** A code without anything of the work in it. */
  error: string | null
}

/**
 * Whether the configuration may be called: `free`, as often as wanted; `trial`, once; `no`. A trial
 * that is not made is given back with `endTrial`.
 */
export async function admission(db: Db, cfgId: string): Promise<'free' | 'trial' | 'no'> {
  const { rows } = await sql<{ state: (typeof BREAKER_STATES)[number] }>`
    select h.state from tp_health h where h.cfg_id = ${cfgId}`.execute(db)
  if ((rows[0]?.state ?? 'closed') === 'closed') return 'free'
  const { rows: taken } = await sql`
    update tp_health set state = 'trying', trial_at = clock_timestamp(),
      trial_oks = case when state = 'open' then 0 else trial_oks end, version = version + 1
    where cfg_id = ${cfgId} and ((state = 'open' and retry_at <= clock_timestamp())
      or (state = 'trying' and (trial_at is null
        or trial_at < clock_timestamp() - make_interval(secs => ${TRIAL_SECONDS}))))
    returning cfg_id`.execute(db)
  return taken.length > 0 ? 'trial' : 'no'
}

export async function endTrial(db: Db, cfgId: string): Promise<void> {
  await sql`update tp_health set trial_at = null where cfg_id = ${cfgId} and state = 'trying'`.execute(
    db,
  )
}

/** Counts a call and its outcome, and moves the breaker. */
export async function noteCall(context: AppContext, call: CallOutcome): Promise<void> {
  const { kysely } = context.database
  const failed = call.outcome === 'failed' || call.outcome === 'timeout'
  const { rows } = await sql<{ state: (typeof BREAKER_STATES)[number] }>`
    with added as (
      insert into tp_attempt (cfg_id, outcome, ms, error, at)
      values (${call.cfgId}, ${call.outcome}, ${call.ms}, ${call.error}, clock_timestamp())
    )
    select h.state from tp_health h where h.cfg_id = ${call.cfgId}`.execute(kysely)
  const state = rows[0]?.state ?? 'closed'
  if (failed) {
    await sql`
      update tp_health set last_error = ${call.error}, last_error_at = clock_timestamp()
        where cfg_id = ${call.cfgId}`.execute(kysely)
    if (state === 'trying') await open(context, call.cfgId)
    else if (state === 'closed' && (await failsTooOften(kysely, call.cfgId)))
      await open(context, call.cfgId)
  } else if (state === 'trying') await countTrial(context, call.cfgId)
}

async function failsTooOften(db: Db, cfgId: string): Promise<boolean> {
  const { rows } = await sql<{ failing: boolean }>`
    select count(*) >= ${intParameter('vendor.failLeast')}
      and count(*) filter (where r.outcome in ('failed', 'timeout')) * 100
        >= count(*) * ${intParameter('vendor.failPercent')} as failing
    from (select a.outcome from tp_attempt a join tp_health h on h.cfg_id = a.cfg_id
      where a.cfg_id = ${cfgId} and a.at > h.closed_at
        and a.at > (select clock_timestamp() - make_interval(mins => ${JUDGED_MINUTES}))
      order by a.at desc limit ${JUDGED}) r`.execute(db)
  return rows[0]?.failing ?? false
}

/** Of several calls that fail at once, one opens it. */
async function open(context: AppContext, cfgId: string): Promise<void> {
  await change(context, cfgId, 'open', async (tx) => {
    const { rows } = await sql<{ was: string; retry: string; trips: number }>`
      with before as (select h.cfg_id, h.state from tp_health h where h.cfg_id = ${cfgId} for update)
      update tp_health h set state = 'open', trips = h.trips + 1, trial_at = null, trial_oks = 0,
        version = h.version + 1,
        retry_at = clock_timestamp() + make_interval(secs => least(
          ${intParameter('vendor.pauseSeconds')}::float8 * power(2, least(h.trips, 20)),
          ${intParameter('vendor.pauseMostSeconds')}::float8))
      from before b where b.cfg_id = h.cfg_id and b.state <> 'open'
      returning b.state as was, h.retry_at as retry, h.trips`.execute(tx.db)
    const [moved] = rows
    if (!moved) return null
    if (moved.was === 'closed') await alert(tx, cfgId, 'out')
    return { from: moved.was, retryAt: moved.retry, trips: moved.trips }
  })
}

async function countTrial(context: AppContext, cfgId: string): Promise<void> {
  const { rows } = await sql<{ oks: number }>`
    update tp_health set trial_oks = trial_oks + 1, trial_at = null, version = version + 1
      where cfg_id = ${cfgId} and state = 'trying' returning trial_oks as oks`.execute(
    context.database.kysely,
  )
  if ((rows[0]?.oks ?? 0) < TRIALS) return
  await change(context, cfgId, 'closed', async (tx) => {
    const { rows: closed } = await sql`
      update tp_health set state = 'closed', trips = 0, retry_at = null, trial_oks = 0,
        closed_at = clock_timestamp(), version = version + 1
      where cfg_id = ${cfgId} and state = 'trying' and trial_oks >= ${TRIALS} returning cfg_id`.execute(
      tx.db,
    )
    if (closed.length === 0) return null
    await alert(tx, cfgId, 'back')
    return { from: 'trying' }
  })
}

/** @param move null when another call has moved it */
async function change(
  context: AppContext,
  cfgId: string,
  to: (typeof BREAKER_STATES)[number],
  move: (tx: CommandTx) => Promise<Record<string, unknown> | null>,
): Promise<void> {
  await runCommand(
    context,
    {
      actor: systemActor('vendorBreaker'),
      audit: { menu: MENU, action: 'breaker', targetKind: 'configuration', targetId: cfgId },
    },
    async (tx) => {
      const moved = await move(tx)
      if (moved === null) return
      const { from, ...more } = moved
      tx.log({
        menu: MENU,
        action: 'breaker',
        targetKind: 'configuration',
        targetId: cfgId,
        before: { state: from },
        after: { state: to, ...more },
      })
      tx.emit(CONFIG_REFRESHED, {
        subject: 'config:thirdParties',
        rooms: [...SERVICE_ROOMS],
        data: { area: 'thirdParties', ids: [] },
      })
      // what waits for it goes elsewhere, or comes back
      tx.afterCommit(() => context.wakeSchedule('payoutSend'))
    },
  )
}

async function alert(tx: CommandTx, cfgId: string, what: 'out' | 'back'): Promise<void> {
  const { rows } = await sql<{ user_id: string; name: string; percent: number }>`
    select u.id as user_id, v.name || ' · ' || c.name as name,
      coalesce((select round(100.0 * count(*) filter (where r.outcome in ('failed', 'timeout'))
        / nullif(count(*), 0))::int
        from (select a.outcome from tp_attempt a where a.cfg_id = ${cfgId} order by a.at desc
          limit ${JUDGED}) r), 0) as percent
    from tp_cfg c join tp_vendor v on v.id = c.vendor_id
    cross join sys_user u join sys_role g on g.id = u.role_id and g.unique_mark = ${ADMINISTRATOR}
    where c.id = ${cfgId} and u.status <> 'disabled'`.execute(tx.db)
  for (const { user_id: userId, name, percent } of rows)
    tx.notify({
      userId,
      kind: 'system',
      titleKey: what === 'out' ? 'vendors:notification.out' : 'vendors:notification.back',
      params: { name, percent },
      route: '/system/three_config?tab=configurations',
    })
}
