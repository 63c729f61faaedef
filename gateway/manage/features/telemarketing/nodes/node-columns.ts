/** SQL of the fields of conditions, over `tele_task t` and `customer c`. */
import { sql } from 'kysely'
import type { Catalogue } from '#shared/conditions/catalogue.ts'
import { type NodeFieldName, nodeCatalogue } from '#shared/telemarketing/node-fields.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

const TODAY = 'ist_day(clock_timestamp())'
const credit = (column: string) => `
  (select ${column} from credit_grant q where q.customer_id = c.id and q.state = 'passed'
    order by q.created_at desc, q.id desc limit 1)`

/** Only what a condition names is computed. */
export const NODE_COLUMNS = {
  age: `extract(year from age(${TODAY}, c.birthday))`,
  sex: 'c.sex',
  monthlyIncome: 'c.monthly_income',
  city: 'c.city',
  app: 'c.app_id',
  channel: 'c.channel_id',
  registeredOn: 'ist_day(c.registered_at)',
  entryCount: 'c.entry_count',
  finalLimit: credit('q.final_limit'),
  creditDays: credit(`${TODAY} - ist_day(q.created_at)`),
  settlementCount: 'c.settlement_count',
  maxOverdueDays: `coalesce((select max(z.overdue_days) from loan_order z
    where z.customer_id = c.id), 0)`,
  lastAmount: '(select o.amount from loan_order o where o.id = t.order_id)',
  followCount: 't.follow_count',
  lastResult: 't.last_result',
  daysSinceFollow: `${TODAY} - ist_day(t.last_follow_at)`,
} as const satisfies Record<NodeFieldName, string>

export interface NodeOptions {
  apps: { id: string; name: string }[]
  channels: { id: string; name: string }[]
}

export async function readNodeOptions(db: Db): Promise<NodeOptions> {
  const { rows } = await sql<NodeOptions>`
    select
      (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name) order by a.name, a.id), '[]')
        from app a) as apps,
      (select coalesce(json_agg(json_build_object('id', h.id, 'name', h.name) order by h.name, h.id), '[]')
        from channel h) as channels`.execute(db)
  return rows[0] as NodeOptions
}

export async function readNodeCatalogue(db: Db): Promise<Catalogue> {
  const { apps, channels } = await readNodeOptions(db)
  return nodeCatalogue(apps, channels)
}
