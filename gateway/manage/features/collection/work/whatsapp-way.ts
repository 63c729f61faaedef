/**
 * How a person writes to a borrower by WhatsApp: from the business line bound to them, else by a
 * link, which only the lender's own staff get.
 */
import { sql } from 'kysely'
import type { WhatsappWay } from '#shared/collection/collection-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'

export interface WhatsappRoute {
  way: WhatsappWay
  /** Of the line, with its extension. */
  lineId: string | null
  seatNumber: string | null
}

export async function whatsappOf(db: Db, actor: StaffActor): Promise<WhatsappRoute> {
  const { rows } = await sql<{
    id: string
    seat_number: string | null
  }>`
    select p.id, p.seat_number
    from phone_line p
    where p.bound_user_id = ${actor.userId} and p.kind = 'whatsapp' and p.status = 'enabled'`.execute(
    db,
  )
  const line = rows[0]
  if (line) return { way: 'line', lineId: line.id, seatNumber: line.seat_number }
  return { way: actor.rights.isOutside ? 'none' : 'link', lineId: null, seatNumber: null }
}
