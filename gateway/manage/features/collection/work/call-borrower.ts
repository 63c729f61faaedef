import { sql } from 'kysely'
import type { callBorrower as call } from '#shared/collection/cases-api.ts'
import { CASE_STATE } from '#shared/collection/collection-problems.ts'
import { contactGate } from '#shared/collection/contact-gate.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import { ringExtension } from '#gateway/manage/features/voice-calls/public.ts'
import { endTasksOfBorrower } from '#gateway/manage/features/ai-calls/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { LockedCase } from '../case-store.ts'
import { lockForContact } from './case-access.ts'
import { contactFacts, refusalOf } from './contact-facts.ts'
import { type Contact, contactOf } from './contact-of.ts'
import { emitContact } from './emit-contact.ts'
import { firstContactSec } from './first-contact.ts'
import { requireLineLeft } from './line-left.ts'
import { whatsappOf, type WhatsappRoute } from './whatsapp-way.ts'

/** A second click, or a request repeated after a lost answer, within this time is the same call. */
const SAME_PRESS_SECONDS = 60

/**
 * Starts a call through the caller's extension, which the exchange of the app rings if it has one, or
 * WhatsApp from their business line, else returns a WhatsApp link once. It counts as a contact, so the
 * gate is checked under the case's lock.
 * @throws Problem G404, C-OWN, C-POOL, C-STATE (no holder), C-REF, C-STOP, C-HELD, C-TOLD, C-HOL,
 * C-WIN, C-LIM, C-LIMW, C-GAP, C-LINE, C-LINEB, G403 (staff of an outside agency without a line)
 */
export async function callBorrower(
  tx: CommandTx,
  { caseId, contactId, way }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const actor = staff(tx.actor)
  const locked = await lockForContact(tx, caseId)
  if (locked.state === 'unallocated' || locked.state === 'allocating' || locked.state === 'closed')
    throw new Problem(CASE_STATE, { state: locked.state })
  const whatsapp = way === 'whatsapp' ? await whatsappOf(tx.db, actor) : null
  if (whatsapp?.way === 'none') throw new Problem(FORBIDDEN)
  const contact = await contactOf(tx.db, locked.customer_id, contactId)
  const callId =
    (await samePress(tx, actor, locked, contactId, way)) ??
    (await beginCall(tx, actor, locked, contact, whatsapp))
  if (whatsapp === null) {
    const extension = await extensionOf(tx, actor)
    const { userId } = actor
    const press = { callId, userId, extension, lineKind: 'service', taskId: null } as const
    return { callId, seatNumber: extension, link: null, exchange: await ringExtension(tx, press) }
  }
  return whatsapp.way === 'line'
    ? { callId, seatNumber: whatsapp.seatNumber, link: null, exchange: null }
    : { callId, seatNumber: null, link: linkTo(tx, contact), exchange: null }
}

async function samePress(
  tx: CommandTx,
  actor: StaffActor,
  locked: LockedCase,
  contactId: string,
  way: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select l.id from call_log l
    where l.case_id = ${locked.id} and l.user_id = ${actor.userId} and l.contact_id = ${contactId}
      and l.way = ${way} and l.started_at > clock_timestamp() - make_interval(secs => ${SAME_PRESS_SECONDS})
    order by l.started_at desc limit 1`.execute(tx.db)
  return rows[0]?.id ?? null
}

/**
 * @param whatsapp null = by phone. A link is complete once returned.
 */
async function beginCall(
  tx: CommandTx,
  actor: StaffActor,
  locked: LockedCase,
  contact: Contact,
  whatsapp: WhatsappRoute | null,
): Promise<string> {
  const way = whatsapp === null ? 'phone' : 'whatsapp'
  const { now, facts } = await contactFacts(tx.db, locked.id)
  const refusal = contactGate(facts, { now, isBorrower: contact.isBorrower })
  if (refusal !== null) throw refusalOf(refusal)
  await requireLineLeft(tx, actor, {
    kind: whatsapp === null ? 'service' : 'whatsapp',
    customerId: locked.customer_id,
  })
  const { rows } = await sql<{ id: string }>`
    insert into call_log (kind, case_id, customer_id, user_id, contact_id, way, state, started_at,
      agency_id, department_id, group_id, stage_id, first_contact_sec)
    values ('case', ${locked.id}, ${locked.customer_id}, ${actor.userId}, ${contact.contactId}, ${way},
      ${whatsapp?.way === 'link' ? 'sent' : 'started'}, clock_timestamp(), ${locked.agency_id},
      ${locked.department_id}, ${locked.group_id}, ${locked.stage_id},
      ${firstContactSec(locked, actor.userId)}) returning id`.execute(tx.db)
  const callId = (rows[0] as { id: string }).id
  await endTasksOfBorrower(tx, locked.customer_id)
  emitContact(tx, locked, {
    attemptsToday: facts.attemptsToday + 1,
    attemptsWeek: facts.attemptsWeek + 1,
  })
  tx.log({
    menu: 'pedding_list',
    action: 'call',
    targetKind: 'case',
    targetId: locked.id,
    after: {
      callId,
      way,
      contactId: contact.contactId,
      ...(whatsapp?.way === 'line' ? { lineId: whatsapp.lineId } : {}),
    },
  })
  return callId
}

/** The number leaves the console here, so the reveal is logged beside the call. */
function linkTo(tx: CommandTx, contact: Contact): string {
  tx.log({
    menu: 'pedding_list',
    action: 'reveal',
    targetKind: 'customer',
    targetId: contact.customerId,
    after: { field: contact.isBorrower ? 'phone' : 'contactPhone', reason: 'whatsapp' },
  })
  return `https://wa.me/91${tx.context.secrets.open(contact.place, contact.contactId, contact.sealed)}`
}

/** A collector's own extension; supervisors are no collectors and use the line assigned to them. */
async function extensionOf(tx: CommandTx, actor: StaffActor): Promise<string | null> {
  const { rows } = await sql<{ seat_number: string | null }>`
    select coalesce(
      (select k.seat_number from collector k where k.user_id = ${actor.userId}),
      (select p.seat_number from phone_line p where p.bound_user_id = ${actor.userId} and p.kind = 'service'
        and p.status = 'enabled')
    ) as seat_number`.execute(tx.db)
  return rows[0]?.seat_number ?? null
}
