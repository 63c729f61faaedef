/** What decides whether a task may dial now, in one statement beside the contact rules. */
import { sql } from 'kysely'
import type { AiResult } from '#shared/ai-calls/ai-call-sets.ts'
import { istClock, istDay } from '#shared/kernel/time.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

export interface DialFacts {
  now: string
  isConfigOn: boolean
  startTime: string
  endTime: string
  robotId: string
  repeatFrequency: number
  repeatIntervalMin: number
  redialMax: number
  redialIntervalMin: number
  /** The loan is running and something is open. */
  isOpen: boolean
  isHeld: boolean
  /** A person contacted the borrower, or noted a contact, since the task was opened. */
  byPerson: boolean
  /** The last call of an earlier task ended with a result that the configuration leaves out. */
  isIgnored: boolean
  appId: string
  productName: string
  /** Paise. */
  amount: number
  dueDay: string
  overdueDays: number
  language: string
  phone: Buffer
  lastResult: AiResult | null
}

export async function dialFacts(db: Db, taskId: string): Promise<DialFacts> {
  const { rows } = await sql<DialFacts>`
    select clock_timestamp() as now, k.status = 'enabled' as "isConfigOn", k.start_time as "startTime",
      k.end_time as "endTime", k.robot_id as "robotId", k.repeat_frequency as "repeatFrequency",
      k.repeat_interval_min as "repeatIntervalMin", k.redial_max as "redialMax",
      k.redial_interval_min as "redialIntervalMin",
      o.status in (30, 50, 90) and o.outstanding > 0 and o.due_at is not null as "isOpen",
      coalesce(c.state = 'held', false) as "isHeld",
      exists (select from call_log l where l.customer_id = t.customer_id and l.user_id is not null
        and l.started_at > t.created_at)
        or exists (select from follow_up f where f.customer_id = t.customer_id
          and f.created_at > t.created_at) as "byPerson",
      coalesce((select e.result from ai_call_task e where e.order_id = t.order_id and e.id <> t.id
        and e.result is not null order by e.created_at desc, e.id desc limit 1) = any(k.ignore_labels),
        false) as "isIgnored",
      o.app_id as "appId", p.name as "productName", o.outstanding as amount, o.due_at::text as "dueDay",
      (clock_timestamp() at time zone 'Asia/Kolkata')::date - o.due_at as "overdueDays",
      u.language, u.phone_enc as phone, t.result as "lastResult"
    from ai_call_task t
    join ai_call_config k on k.id = t.config_id
    join loan_order o on o.id = t.order_id
    join product p on p.id = o.product_id
    join customer u on u.id = t.customer_id
    left join collection_case c on c.id = t.case_id and c.state <> 'closed'
    where t.id = ${taskId}`.execute(db)
  return rows[0] as DialFacts
}

/** Whether an instant is still in today's hours of the configuration. @param at ISO 8601 */
export function isToday({ now, endTime }: DialFacts, at: string): boolean {
  return istDay(at) === istDay(now) && istClock(at) < endTime
}
