/** Filters of the case lists: in the URL, on the bar, and as call input. */
import { listInput } from '#client/screen/list/list-input.ts'
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters, GridView } from '#client/ui/grid/grid-url.ts'
import { PTP_STATES } from '#shared/collection/case-lifecycle.ts'
import { type CASE_VIEWS, listCases } from '#shared/collection/cases-api.ts'
import {
  CASE_ENDS,
  CONTACT_RESULTS,
  LEFT_ENDS,
  WILLINGNESS,
} from '#shared/collection/collection-sets.ts'
import type { collectionTree } from '#shared/collection/tree-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { PROOF_STATES } from '#shared/repayments/proof-sets.ts'
import { REDUCTION_STATES } from '#shared/repayments/reduction-sets.ts'
import type { Text } from '#client/base/use-text.ts'
import type { CaseTab, CaseViewer } from './case-types.ts'

export const CASE_FILTERS = {
  userName: 'text',
  caseId: 'text',
  orderId: 'text',
  phone: 'private',
  userId: 'text',
  stageId: 'many',
  agencyId: 'one',
  departmentId: 'one',
  groupId: 'one',
  collectorId: 'one',
  overdue: 'int',
  amount: 'money',
  ptpState: 'many',
  ptpTime: 'day',
  nextFollow: 'day',
  contactResult: 'many',
  willingness: 'many',
  neverContacted: 'flag',
  state: 'many',
  reduceState: 'one',
  proofState: 'one',
  allocationTime: 'day',
  endReason: 'one',
  endTime: 'day',
  view: 'one',
} as const
export type CaseFilters = Filters<typeof CASE_FILTERS>
export const CASE_VIEW: Partial<GridView> = { sort: [] }

/** What the call of a tab is asked. */
export function caseInput(tab: CaseTab, query: Record<string, unknown>): InputOf<typeof listCases> {
  return listInput(listCases, { ...query, tab })
}

type Tree = DataOf<typeof collectionTree>
type Field = FilterField<Extract<keyof typeof CASE_FILTERS, string>>

/** @param scope of the viewer; cases never leave the scope all */
export function filterFields(
  tab: CaseTab,
  t: Text,
  tree: Tree | undefined,
  scope: CaseViewer['scope'],
): Field[] {
  const words = (set: string, codes: readonly (string | number)[]) =>
    codes.map((code) => ({ value: String(code), label: t(`${set}.${code}`) }))
  const units: Field[] =
    scope === 'own'
      ? []
      : [
          {
            name: 'agencyId',
            kind: 'one',
            label: t('desk.col.agencyName'),
            options: (tree?.agencies ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            name: 'departmentId',
            kind: 'one',
            label: t('figures.col.department'),
            options: (tree?.departments ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            name: 'groupId',
            kind: 'one',
            label: t('desk.col.groupName'),
            options: (tree?.groups ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            name: 'collectorId',
            kind: 'one',
            label: t('desk.col.collectorName'),
            options: (tree?.collectors ?? []).map(({ userId, userName, account }) => ({
              value: userId,
              label: `${userName} (${account})`,
            })),
          },
        ]
  const work: Field[] = [
    {
      name: 'ptpState',
      kind: 'many',
      label: t('desk.col.ptpState'),
      options: words('ptpState', PTP_STATES),
    },
    { name: 'ptpTime', kind: 'day', label: t('desk.col.ptpTime') },
    { name: 'nextFollow', kind: 'day', label: t('desk.col.nextFollowTime') },
    {
      name: 'contactResult',
      kind: 'many',
      label: t('desk.col.lastContactResult'),
      options: words('contactResult', CONTACT_RESULTS),
    },
    {
      name: 'willingness',
      kind: 'many',
      label: t('desk.col.lastWillingness'),
      options: words('willingness', WILLINGNESS),
    },
    { name: 'neverContacted', kind: 'flag', label: t('desk.neverContacted') },
    {
      name: 'reduceState',
      kind: 'one',
      label: t('desk.col.reduceState'),
      options: words('figures.reduceState', REDUCTION_STATES),
    },
    {
      name: 'proofState',
      kind: 'one',
      label: t('desk.col.proofState'),
      options: words('desk.proofState', PROOF_STATES),
    },
  ]
  return [
    {
      name: 'userName',
      kind: 'text',
      label: t('desk.col.userName'),
      place: 'quick',
      placeholder: t('desk.searchName'),
    },
    { name: 'caseId', kind: 'text', label: t('desk.col.caseId') },
    { name: 'orderId', kind: 'text', label: t('desk.col.orderId') },
    { name: 'phone', kind: 'text', label: t('desk.col.phone') },
    ...units,
    { name: 'overdue', kind: 'int', label: t('desk.col.overdueDays') },
    { name: 'amount', kind: 'money', label: t('desk.col.outstanding') },
    ...(tab === 'toFollow'
      ? [
          {
            name: 'state',
            kind: 'many',
            label: t('desk.col.state'),
            options: words('state', ['allocated', 'promised', 'held']),
          } as const,
        ]
      : []),
    ...(tab === 'toAllocate' ? [] : work),
    ...(tab === 'toAllocate'
      ? []
      : [{ name: 'allocationTime', kind: 'day', label: t('desk.col.allocationTime') } as const]),
    ...(tab === 'ended'
      ? [
          {
            name: 'endReason',
            kind: 'one',
            label: t('desk.col.endReason'),
            options: words('endReason', scope === 'all' ? CASE_ENDS : [...CASE_ENDS, ...LEFT_ENDS]),
          } as const,
          { name: 'endTime', kind: 'day', label: t('desk.col.endTime') } as const,
        ]
      : []),
  ]
}

export type CaseView = (typeof CASE_VIEWS)[number]
