/** Kinds of all filters that reports have, by their name in the address. */
import type { FilterKinds } from '#client/ui/grid/grid-url.ts'

export const REPORT_KINDS = {
  date: 'day',
  appId: 'one',
  channelId: 'one',
  productId: 'one',
  customerClass: 'one',
  tag: 'one',
  stageId: 'many',
  agencyId: 'one',
  reviewerId: 'one',
  campaign: 'one',
} as const satisfies FilterKinds
