import { type RawBuilder, sql } from 'kysely'
import type { CustomerSection } from '#shared/customers/customer-sets.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { customerIdsOfCases } from '#gateway/manage/features/collection/case-scope.ts'
import { idsOfReviews } from '#gateway/manage/features/review/review-scope.ts'
import {
  customerIdsOfTasks,
  segmentsOf,
} from '#gateway/manage/features/telemarketing/tele-scope.ts'
import { ticketQueues } from '#gateway/manage/features/tickets/ticket-scope.ts'

/**
 * Customers the caller may see, as a predicate over `customer c`: a reviewer those of claimable and
 * own reviews, an inspector those of decided ones; agency, department, group and own scopes those
 * of their open cases and telemarketing tasks.
 */
export function customerInScope(actor: StaffActor): RawBuilder<boolean> {
  switch (actor.rights.scope) {
    case 'all':
      return sql<boolean>`true`
    case 'queue':
      return sql<boolean>`c.id in (${idsOfReviews(actor, 'customer_id')})`
    default:
      return segmentsOf(actor).length === 0
        ? sql<boolean>`c.id in (${customerIdsOfCases(actor)})`
        : sql<boolean>`c.id in (${customerIdsOfCases(actor)} union all ${customerIdsOfTasks(actor)})`
  }
}

/** Sections that need more than access to the customer. */
export const GUARDED_SECTIONS = [
  'contact',
  'kyc',
  'bankCard',
  'photos',
  'credit',
  'device',
] as const
export type GuardedSection = (typeof GUARDED_SECTIONS)[number]

/**
 * Guarded sections by permission codes, so that custom roles work like built-in ones: the review
 * queue grants all of them, customer data on the customer page all but the declared contacts,
 * collection the bank card, telemarketing the credit. Collection gets no declared contacts, because
 * address-book visibility is off.
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
    ...(segmentsOf(actor).length > 0 ? (['credit'] as const) : []),
  ]
  return new Set(earned)
}

/**
 * Reviews are judged by all customer data. Outside these scopes the review queue is empty, so its
 * menu grants nothing.
 */
export function seesReviews({ rights: { permissions, scope } }: StaffActor): boolean {
  return (scope === 'all' || scope === 'queue') && permissions.has('review_list:view')
}

function collects({ rights: { permissions } }: StaffActor): boolean {
  return permissions.has('pedding_list:view') || permissions.has('peded_list:view')
}

/**
 * Sections of the customer page, in the sequence of `CUSTOMER_SECTIONS`: those of the role and
 * those of the lists whose menu the caller has.
 */
export function grantedSections(actor: StaffActor): CustomerSection[] {
  const { permissions } = actor.rights
  const guarded = sectionsOf(actor)
  const hasMenu = (...menus: string[]) => menus.some((menu) => permissions.has(`${menu}:view`))
  const more: CustomerSection[] = [
    // people who see the data a review judges also see its result
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

/**
 * Staff of an outside agency: no Aadhaar, PAN or photos, and no reveal; they call through the
 * dialler. The lender's own recovery department is stored as an agency but is not one here.
 */
export function isOfAgency(actor: StaffActor): boolean {
  return actor.rights.scope === 'agency' || actor.rights.isOutside
}
