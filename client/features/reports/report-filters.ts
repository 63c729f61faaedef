/** Filters that several reports share, and the answer their choices come from. */
import { type ListFilter, named, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { STAGES } from '#client/ui/value/StatusTag.tsx'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { CUSTOMER_CLASSES } from '#shared/customers/customer-sets.ts'
import { ORDER_TAGS } from '#shared/reports/repayment-api.ts'
import { reportOptions } from '#shared/reports/reports-api.ts'

export const OPTIONS = reads(reportOptions, {})

export const CHANNEL: ListFilter = {
  kind: 'one',
  label: 'filter.channel',
  place: 'bar',
  options: ({ read }) => named(read(reportOptions)?.channels),
}
export const APP: ListFilter = {
  kind: 'one',
  label: 'filter.app',
  place: 'bar',
  options: ({ read }) => named(read(reportOptions)?.apps),
}
export const PRODUCT: ListFilter = {
  kind: 'one',
  label: 'filter.product',
  place: 'bar',
  options: ({ read }) => named(read(reportOptions)?.products),
}
export const CUSTOMER_CLASS: ListFilter = {
  kind: 'one',
  label: 'filter.customerClass',
  place: 'bar',
  options: wordsOf('reports:class', CUSTOMER_CLASSES),
}
export const TAG: ListFilter = {
  kind: 'one',
  label: 'filter.tag',
  place: 'bar',
  options: wordsOf('reports:tag', ORDER_TAGS),
}
export const STAGE: ListFilter = {
  kind: 'many',
  label: 'filter.stageId',
  place: 'bar',
  options: () => STAGES.map((stage) => ({ value: stage, label: stage })),
}
/** Leaders of a unit see only that unit. */
export const AGENCY: ListFilter = {
  kind: 'one',
  label: 'filter.agency',
  place: 'bar',
  options: ({ read }) => named(read(collectionTree)?.agencies),
  when: ({ seesAll }) => seesAll,
}
export const AGENCIES = reads(collectionTree, {}, ({ scope }) => scope.kind === 'all')
export const REVIEWER: ListFilter = {
  kind: 'one',
  label: 'filter.reviewer',
  place: 'bar',
  options: ({ read }) => named(read(reportOptions)?.reviewers),
}
export const CAMPAIGN: ListFilter = {
  kind: 'one',
  label: 'filter.campaign',
  place: 'bar',
  options: ({ read }) => named(read(reportOptions)?.campaigns),
}
