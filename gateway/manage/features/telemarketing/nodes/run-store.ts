/** Rows of `marketing_run` as the job sees them. */
import { sql } from 'kysely'
import { TELE_NODE_RUN } from '#shared/telemarketing/tele-live.ts'
import type { Segment } from '#shared/telemarketing/tele-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { segmentRoom } from '../tele-events.ts'

/** Customers of one transaction. */
export const RUN_SLICE = 2_000

export interface Run {
  runId: string
  nodeId: string
  nodeName: string
  segment: Segment
  state: string
  givesTasks: boolean
  messageWay: string | null
  matched: number | null
  taken: number | null
  heldOut: number | null
  /** The node takes each customer once. */
  once: boolean
  couponId: string | null
  assigned: number
  /** Customers worked off by the slices that are stored: counting them would read them all. */
  done: number
  version: number
}

export async function readRun(db: Db, runId: string): Promise<Run> {
  const { rows } = await sql<Run>`
    select r.id as "runId", r.node_id as "nodeId", n.name as "nodeName", n.segment, r.state,
      n.gives_tasks as "givesTasks", n.message_way as "messageWay", r.matched, r.taken, r.held_out as "heldOut",
      n.again_days is null as once, n.coupon_id as "couponId", r.assigned,
      r.version, coalesce(least(r.taken, j.done * ${RUN_SLICE}::int), 0) as done
    from marketing_run r join marketing_node n on n.id = r.node_id left join job j on j.id = r.job_id
    where r.id = ${runId}`.execute(db)
  const [run] = rows
  // the job was started with it, and runs are never deleted
  if (!run) throw new Error(`run ${runId} is gone`)
  return run
}

/** Lists of the segment read their page again: the tasks of a run have no events of their own. */
export function emitRun(tx: CommandTx, run: Run): void {
  const { nodeId, runId, segment, state, matched, taken, done, version } = run
  tx.emit(TELE_NODE_RUN, {
    subject: `marketingRun:${runId}`,
    version,
    rooms: ['menu:marketing_stage', segmentRoom(segment)],
    data: { nodeId, runId, segment, state, matched, taken, done },
  })
}
