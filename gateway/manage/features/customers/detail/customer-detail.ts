/**
 * The customer page: header and requested sections, as far as the caller may see them. Reads are
 * logged.
 */
import { sql } from 'kysely'
import type {
  CustomerDetail,
  customerDetail as call,
} from '#shared/customers/customer-detail-api.ts'
import type { CustomerSection } from '#shared/customers/customer-sets.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { customerSections } from '../customer-queries.ts'
import { customerInScope, grantedSections, isOfAgency } from '../customer-scope.ts'
import { creditLeft, RECORD_SECTIONS, sectionRows } from './section-rows.ts'

/** @throws Problem G404 for a customer that is missing or outside the caller's scope */
export async function openCustomer(
  tx: CommandTx,
  { userId, sections }: InputOf<typeof call>,
): Promise<CustomerDetail> {
  const actor = staff(tx.actor)
  const granted = grantedSections(actor)
  const shown = granted.filter((section) => sections.includes(section))
  const head = await headOf(tx.db, actor, userId)
  const answer: CustomerDetail = {
    ...head,
    granted,
    ...(await profileOf(tx.db, actor, userId, shown)),
  }
  const records = RECORD_SECTIONS.filter((section) => shown.includes(section))
  // sent together: the statements do not depend on each other
  const [rows, customerCredit] = await Promise.all([
    Promise.all(records.map((section) => sectionRows(tx.db, actor, userId, section))),
    shown.includes('records') ? creditLeft(tx.db, actor, userId) : null,
  ])
  for (const [i, section] of records.entries()) Object.assign(answer, { [section]: rows[i] })
  if (customerCredit !== null) answer.customerCredit = customerCredit
  tx.log({
    action: 'customerOpen',
    targetKind: 'customer',
    targetId: userId,
    after: { sections: shown },
  })
  return answer
}

type Head = Pick<
  CustomerDetail,
  | 'userId'
  | 'name'
  | 'customerClass'
  | 'certified'
  | 'blacklisted'
  | 'entryCount'
  | 'orderCount'
  | 'settlementCount'
  | 'registerTime'
  | 'lastActiveTime'
  | 'erasedTime'
  | 'version'
>

async function headOf(db: Db, actor: StaffActor, userId: string): Promise<Head> {
  const { rows } = await sql<{ head: Head }>`
    select json_build_object('userId', c.id, 'name', c.name, 'customerClass', c.customer_class, 'certified',
      c.certified, 'blacklisted', c.blacklisted, 'entryCount', c.entry_count,
      'orderCount', (select count(*)::int from loan_order o
        where o.customer_id = c.id), 'settlementCount', c.settlement_count, 'registerTime',
        ${isoTime('c.registered_at')}, 'lastActiveTime', ${isoTime('c.last_active_at')},
      'erasedTime', (select ${isoTime('e.erased_at')} from customer_erasure e
        where e.customer_id = c.id), 'version', c.version) as head
    from customer c where c.id = ${userId} and ${customerInScope(actor)}`.execute(db)
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  return found.head
}

const PROFILE = ['basic', 'contact', 'kyc', 'bankCard', 'photos', 'credit', 'device'] as const

async function profileOf(
  db: Db,
  actor: StaffActor,
  userId: string,
  sections: readonly CustomerSection[],
): Promise<Partial<CustomerDetail>> {
  const wanted = PROFILE.filter((section) => sections.includes(section))
  if (wanted.length === 0) return {}
  const all = await customerSections(db, actor, userId)
  const known = { ...all, basic: isOfAgency(actor) ? forAgency(all.basic) : all.basic }
  return Object.fromEntries(wanted.map((section) => [section, known[section]]))
}

/**
 * An outside agency gets only what it needs to contact the borrower, and nothing about work and
 * household.
 */
function forAgency(
  basic: NonNullable<CustomerDetail['basic']>,
): NonNullable<CustomerDetail['basic']> {
  return {
    ...basic,
    panName: null,
    birthday: null,
    maritalStatus: null,
    education: null,
    childrenCount: null,
    dwellingState: null,
    profession: null,
    companyName: null,
    companyAddress: null,
    monthlyIncome: null,
  }
}
