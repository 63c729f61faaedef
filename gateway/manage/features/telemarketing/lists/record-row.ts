/** RecordRow as JSON built by PostgreSQL, over `tele_record r` and its joins. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { RecordRow as RecordRowSchema } from '#shared/telemarketing/record-api.ts'
import { isoText } from '#gateway/manage/kernel/list-parts.ts'

type RecordRow = Static<typeof RecordRowSchema>

const FIELDS = {
  recordId: 'r.id',
  taskId: 'r.task_id',
  userId: 'r.customer_id',
  segment: 'r.segment',
  result: 'r.result',
  count: 'r.count',
  lossDays: 'r.loss_days',
  taskType: 'rn.type',
  nodeId: 'rt.node_id',
  nodeName: 'rn.name',
  // null in records of before and of erased customers
  contactNumber: "'XXXXXX' || r.contact_last4",
  contactWay: 'r.contact_way',
  remark: 'r.remark',
  nextFollowTime: isoText('r.next_follow_at'),
  operatorId: 'r.operator_id',
  operatorName: 'r.operator_name',
  time: isoText('r.created_at'),
  durationSec: '(select rl.duration_sec from call_log rl where rl.id = r.call_id)',
  endCause: '(select rl.end_cause from call_log rl where rl.id = r.call_id)',
} as const satisfies Record<keyof RecordRow, string>

export const RECORD_JSON = sql.raw<RecordRow>(
  `json_build_object(${Object.entries(FIELDS)
    .map(([name, column]) => `'${name}', ${column}`)
    .join(', ')})`,
)

export const RECORD_JOINS = sql.raw(`
  join tele_task rt on rt.id = r.task_id
  left join marketing_node rn on rn.id = rt.node_id`)
