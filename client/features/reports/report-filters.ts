/** Filters that several reports share, and the answer their choices come from. */
import { type ListFilter, named, reads } from '#client/screen/list/list-filters.ts'
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
