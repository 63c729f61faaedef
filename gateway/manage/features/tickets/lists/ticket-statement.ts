/**
 * Figures of the tickets created on the IST days of a range, by day, type, department or processor,
 * within the caller's scope.
 */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { daysBetween } from '#shared/kernel/time.ts'
import type { StatementGroup } from '#shared/tickets/ticket-sets.ts'
import type { ticketStatement as statementCall } from '#shared/tickets/tickets-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import { ticketsInScope } from '../ticket-scope.ts'

type Statement = DataOf<typeof statementCall>

/** Longest range, first and last day included. */
const MOST_DAYS = 92

const GROUPS: Record<StatementGroup, { key: RawBuilder<string>; name: RawBuilder<string | null> }> =
  {
    day: {
      key: sql`(t.created_at at time zone 'Asia/Kolkata')::date::text`,
      name: sql`null::text`,
    },
    type: { key: sql`t.type::text`, name: sql`null::text` },
    department: {
      key: sql`coalesce(t.department, '')`,
      name: sql`(select d.name from department d where d.id = t.department)`,
    },
    processor: {
      key: sql`coalesce(t.processor_id, '')`,
      name: sql`(select u.user_name from sys_user u where u.id = t.processor_id)`,
    },
  }

/** @throws Problem G-FIELD for a range that ends before it begins or is longer than 92 days */
export async function ticketStatement(
  db: Db,
  actor: StaffActor,
  { queue, dateFrom, dateTo, groupBy = 'day' }: InputOf<typeof statementCall>,
): Promise<Statement> {
  const days = daysBetween(dateFrom, dateTo) + 1
  if (days < 1 || days > MOST_DAYS)
    throw new Problem(INVALID_FIELDS, {}, { fields: { dateTo: days < 1 ? 'past' : 'tooFar' } })
  const { key, name } = GROUPS[groupBy]
  const { rows } = await sql<Statement['rows'][number]>`
    select s.key, min(s.name) as name, count(*)::int as created,
      count(*) filter (where s.finished_at is not null)::int as finished,
      count(*) filter (where s.finished_at is null)::int as open,
      round(avg(extract(epoch from s.first_reply_at - s.created_at)))::int as "avgFirstReplySec",
        round(avg(extract(epoch from s.finished_at - s.created_at)))::int as "avgFinishSec",
      count(*) filter (where coalesce(s.first_reply_at, clock_timestamp()) > s.reply_due_at
        or coalesce(s.finished_at, clock_timestamp()) > s.answer_due_at)::int as "slaMissed",
      coalesce(sum(s.handovers), 0)::int as handovers,
        count(*) filter (where s.level > 0)::int as escalated,
        round(avg(s.evaluation) * 100)::int as "avgEvaluation"
    from (
      select ${key} as key, ${name} as name, t.finished_at, t.first_reply_at, t.created_at, t.reply_due_at,
        t.answer_due_at, t.level, t.evaluation,
        (select count(*) from feedback_handover h where h.feedback_id = t.id
          and h.state = 'approved') as handovers
      from feedback t
      where ${onDays('t.created_at', { from: dateFrom, to: dateTo })}
        and ${queue === undefined ? sql`true` : sql`t.queue = ${queue}`}
        and ${ticketsInScope(actor)}
    ) s
    group by s.key order by ${
      groupBy === 'day' || groupBy === 'type'
        ? sql`
      s.key`
        : sql`count(*) desc, s.key`
    }`.execute(db)
  const { rows: clock } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  return { rows, asOf: (clock[0] as { now: string }).now }
}
