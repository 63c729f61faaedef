import { sql } from 'kysely'
import type { noteCase as call } from '#shared/collection/cases-api.ts'
import { harshWordsIn } from '#shared/collection/remark-linter.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { caseNoteJson } from '../cases/case-row.ts'
import { lockWorkable } from './case-access.ts'
import { contactFacts } from './contact-facts.ts'
import { emitContact } from './emit-contact.ts'

type Note = DataOf<typeof call>

/**
 * Keeps a note on a case at any hour, also while its collection is stopped: a note contacts nobody.
 * @throws Problem G404, C-OWN, C-POOL, G-FIELD (words of threat or abuse)
 */
export async function noteCase(
  tx: CommandTx,
  { caseId, token, remark, asSaid }: InputOf<typeof call>,
): Promise<Note> {
  const actor = staff(tx.actor)
  const locked = await lockWorkable(tx, caseId, token)
  const { facts, harshWords } = await contactFacts(tx.db, caseId)
  if (asSaid !== true && harshWordsIn(remark, harshWords).length > 0)
    throw new Problem(INVALID_FIELDS, {}, { fields: { remark: 'collection:desk.fault.harsh' } })
  const { rows } = await sql<{ note: Note }>`
    with n as (
      insert into case_note (case_id, operator_id, remark)
      values (${caseId}, ${actor.userId}, ${remark}) returning *
    )
    select ${caseNoteJson} as note from n join sys_user k on k.id = n.operator_id`.execute(tx.db)
  const { note } = rows[0] as { note: Note }
  emitContact(tx, locked, facts)
  tx.log({
    menu: 'pedding_list',
    action: 'note',
    targetKind: 'case',
    targetId: caseId,
    after: { noteId: note.noteId, ...(asSaid === true ? { asSaid: true } : {}) },
  })
  return note
}
