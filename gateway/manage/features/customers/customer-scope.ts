import { type RawBuilder, sql } from 'kysely'
import type { CustomerSection } from '#shared/customers/customer-sets.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { customerIdsOfCases, reviewsInScope, ticketQueues } from '#gateway/manage/kernel/scope.ts'

/**
 * Customers the caller may see, as a predicate over `customer c` (roles.md 3): a reviewer those of claimable and own reviews, an
 * inspector those of decided ones; agency, department, group and own scopes those of their open cases.
 */
export function customerInScope(actor: StaffActor): RawBuilder<boolean> {
  switch (actor.rights.scope) {
    case 'all':
      return sql<boolean>`true`
    case 'queue':
      return sql<boolean>`exists (select 1 from review r where r.customer_id = c.id and ${reviewsInScope(actor)})`
    default:
      return sql<boolean>`c.id in (${customerIdsOfCases(actor)})`
  }
}

/** Sections of a customer that are not shown to everybody who may see the customer. */
export const GUARDED_SECTIONS = ['contact', 'kyc', 'bankCard', 'photos', 'credit', 'device'] as const
export type GuardedSection = (typeof GUARDED_SECTIONS)[number]

const COLLECTION = ['collection_specialist', 'collector', 'team_leader', 'internal_supervisor', 'external_supervisor']
const TELEMARKETING = ['group_leader', 'salesman', 'tele_uncertified', 'tele_unborrowed', 'tele_unreborrowed', 'tele_loanfailed']
const WHOLE = ['administrator', 'director', 'manager', 'reviewer', 'quality_inspector']

/** Guarded sections of a role (roles.md 3); a role made later sees none. Declared contacts in collection wait for address-book visibility, which is off. */
export function sectionsOf(actor: StaffActor): ReadonlySet<GuardedSection> {
  const { roleMark } = actor.rights
  if (isOfAgency(actor)) return new Set(['bankCard'])
  if (WHOLE.includes(roleMark)) return new Set(GUARDED_SECTIONS)
  if (roleMark === 'customer_service') return new Set(GUARDED_SECTIONS.filter((section) => section !== 'contact'))
  if (COLLECTION.includes(roleMark)) return new Set(['bankCard'])
  if (TELEMARKETING.includes(roleMark)) return new Set(['credit'])
  return new Set()
}

/** Sections of the customer's own page, in the order of `CUSTOMER_SECTIONS`: those of the role, and those of the lists whose menu the caller has. */
export function grantedSections(actor: StaffActor): CustomerSection[] {
  const { permissions } = actor.rights
  const guarded = sectionsOf(actor)
  const hasMenu = (...menus: string[]) => menus.some((menu) => permissions.has(`${menu}:view`))
  const more: CustomerSection[] = [
    // who sees what a review looks at sees its result, too
    ...(guarded.has('kyc') ? (['review'] as const) : []),
    'orders',
    ...(hasMenu('repay_plan') ? (['plans'] as const) : []),
    ...(hasMenu('repay_record') ? (['records'] as const) : []),
    ...(hasMenu('pedding_list', 'peded_list') ? (['cases'] as const) : []),
    ...(ticketQueues(actor).length > 0 ? (['tickets'] as const) : []),
    ...(hasMenu('customer_list') ? (['blacklist'] as const) : []),
    'timeline',
  ]
  return ['basic', ...GUARDED_SECTIONS.filter((section) => guarded.has(section)), ...more]
}

/** Staff of an outside agency: no Aadhaar, PAN or photos, no reveal; they dial through their seat. */
export function isOfAgency(actor: StaffActor): boolean {
  return actor.rights.scope === 'agency' || actor.rights.agencyId !== null
}
