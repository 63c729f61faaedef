/** What reviews know of customers. */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { ERASED, eraseRows, type PersonalData } from '#gateway/manage/kernel/personal-data.ts'

export const reviewData: PersonalData = { name: 'review', erase }

function erase(tx: CommandTx, id: string): Promise<Record<string, number>> {
  const reviews = sql`select v.id from review v where v.customer_id = ${id}`
  const kept = (column: string) =>
    sql`${sql.ref(column)} = case when ${sql.ref(column)} is null then null else ${ERASED} end`
  return eraseRows(tx, {
    applicant_check: sql`delete from applicant_check where review_id in (${reviews})`,
    machine_facts: sql`delete from machine_facts where review_id in (${reviews})`,
    review_log: sql`
      update review_log set note = null where note is not null and review_id in (${reviews})`,
    review_handover: sql`
      update review_handover set reason = ${ERASED}, ${kept('decide_reason')}
      where review_id in (${reviews})`,
    review: sql`
      update review set customer_name = ${ERASED}, remark = null, tele_answers = null,
        machine_report = null, data_message = null, ${kept('quality_remark')},
        ${kept('appeal_reason')}, ${kept('appeal_decide_reason')}
      where customer_id = ${id}`,
  })
}
