import { sql } from 'kysely'
import type { caseContacts as call } from '#shared/collection/cases-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { casesInScope } from '../case-scope.ts'

/**
 * Who may be contacted, the borrower first. The three declared contacts are shown only when both
 * the stage and the caller have address-book visibility, and can be dialled only when the owner
 * allows it. Each look is logged.
 * @throws Problem G404
 */
export async function caseContacts(
  tx: CommandTx,
  { caseId }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const actor = staff(tx.actor)
  const { rows } = await sql<{ contacts: DataOf<typeof call> }>`
    select json_build_array(json_build_object('contactId', u.id, 'relation', 'self', 'name', u.name,
      'phone', 'XXXXXX' || u.phone_last4, 'callable', true))::jsonb || coalesce((
      select jsonb_agg(jsonb_build_object('contactId', k.id, 'relation', k.relation, 'name', k.name,
        'phone', 'XXXXXX' || k.phone_last4, 'callable', (select x.value = 'true' from sys_config x
        where x.code = 'contact.references' and x.state = 'enabled')) order by k.seq)
      from customer_contact k
      where k.customer_id = c.customer_id and s.address_book_visible
        and exists (select 1 from collector y where y.user_id = ${actor.userId}
        and y.address_book_visible)), '[]') as contacts
    from collection_case c
    join stage s on s.stage_id = c.stage_id
    join customer u on u.id = c.customer_id
    where c.id = ${caseId} and ${casesInScope(actor)}`.execute(tx.db)
  const contacts = rows[0]?.contacts
  if (!contacts) throw new Problem(NOT_FOUND)
  tx.log({
    menu: 'pedding_list',
    action: 'contacts',
    targetKind: 'case',
    targetId: caseId,
    after: { shown: contacts.length },
  })
  return contacts
}
