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
export const GUARDED_SECTIONS = [
  'contact',
  'kyc',
  'bankCard',
  'photos',
  'credit',
  'device',
] as const
export type GuardedSection = (typeof GUARDED_SECTIONS)[number]

/** The four lists of telemarketing (roles.md 2.1). */
const SEGMENTS = ['no_certified', 'unrequished', 'no_relented', 'loan_failed']

/**
 * Guarded sections by what the caller holds (roles.md 3), so that a role made later sees what its codes stand for, and nothing else:
 * who has the queue of reviews all of them, who opens customers' data on their page all but the declared contacts, a collector the bank
 * card, a telemarketer the credit. Declared contacts in collection wait for address-book visibility, which is off.
 */
export function sectionsOf(actor: StaffActor): ReadonlySet<GuardedSection> {
  if (isOfAgency(actor)) return new Set(collects(actor) ? ['bankCard'] : [])
  if (seesReviews(actor)) return new Set(GUARDED_SECTIONS)
  const { permissions, scope } = actor.rights
  const earned: GuardedSection[] = [
    ...(scope === 'all' && permissions.has('info:reveal')
      ? GUARDED_SECTIONS.filter((section) => section !== 'contact')
      : []),
    ...(scope === 'all' && permissions.has('info:photo') ? (['photos'] as const) : []),
    ...(collects(actor) ? (['bankCard'] as const) : []),
    ...(SEGMENTS.some((segment) => permissions.has(`${segment}:view`))
      ? (['credit'] as const)
      : []),
  ]
  return new Set(earned)
}

/** Reviews are judged by all that is known of a customer; outside these scopes the queue is empty, and its menu opens nothing. */
export function seesReviews({ rights: { permissions, scope } }: StaffActor): boolean {
  return (scope === 'all' || scope === 'queue') && permissions.has('review_list:view')
}

function collects({ rights: { permissions } }: StaffActor): boolean {
  return permissions.has('pedding_list:view') || permissions.has('peded_list:view')
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
    'messages',
    'timeline',
  ]
  return ['basic', ...GUARDED_SECTIONS.filter((section) => guarded.has(section)), ...more]
}

/** Staff of an outside agency: no Aadhaar, PAN or photos, no reveal; they dial through their seat. A desk of the house is an agency in the book, not here. */
export function isOfAgency(actor: StaffActor): boolean {
  return actor.rights.scope === 'agency' || actor.rights.isOutside
}
