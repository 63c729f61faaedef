/** Processed cases and the record of every contact. */
import { useText } from '#client/base/use-text.ts'
import '../collection.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'
import { queryOf } from '#client/session/query.ts'
import { useAttendance } from '#client/screen/person-column.ts'
import { usePageQuery } from '#client/screen/use-list-query.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { STAGES } from '#client/ui/value/StatusTag.tsx'
import { showToast } from '#client/ui/feedback/toasts.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { listFollows } from '#shared/collection/cases-api.ts'
import { CONTACT_RESULTS, WILLINGNESS } from '#shared/collection/collection-sets.ts'
import { collectionTree } from '#shared/collection/setup-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { istEnd, istStart } from '#shared/kernel/time.ts'
import { hasLeft, useAwayLinks } from '../away-links.ts'
import { CASE_COLUMNS, collectorsHere } from './case-columns.ts'
import { FOLLOW_COLUMNS } from './follow-columns.ts'
import { CASE_FILTERS, filterFields, listInput } from './case-filters.ts'
import type { CaseRow, FollowRow } from './case-types.ts'
import { casePath } from './case-words.ts'
import { useCaseList } from './use-case-list.ts'
import { useCaseViewer } from './use-case-viewer.ts'

export function Screen(): ReactNode {
  const t = useText('collection')
  const [, setQuery] = useSearchParams()
  const tab = new URLSearchParams(useSearch()).get('tab') === 'follows' ? 'follows' : 'ended'
  useAttendance(collectorsHere, 'peded_list')
  const tabs = (
    <Segmented
      label={t('menu.peded_list')}
      value={tab}
      segments={(['ended', 'follows'] as const).map((value) => ({
        value,
        label: t(`desk.list.${value}`),
      }))}
      onChange={(next) => setQuery(() => new URLSearchParams({ tab: next }))}
    />
  )
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.peded_list')}</h1>
      {tab === 'ended' ? <Ended tabs={tabs} /> : <Follows tabs={tabs} />}
    </div>
  )
}

function Ended({ tabs }: { tabs: ReactNode }): ReactNode {
  const t = useText('collection')
  const [, navigate] = useLocation()
  const viewer = useCaseViewer()
  const columns = useAwayLinks(
    useMedia('(min-width: 1600px)') ? CASE_COLUMNS.ended.wide : CASE_COLUMNS.ended.narrow,
    'peded_list',
  )
  const url = useGridUrlState(CASE_FILTERS)
  const input = useMemo(() => listInput('ended', url.input), [url.input])
  const list = useCaseList({
    tab: 'ended',
    viewer,
    input,
    view: url.view,
    key: url.key,
    openId: null,
  })
  const tree = useQuery({
    ...queryOf(collectionTree, {}, { quiet: true }),
    staleTime: 60_000,
    enabled: viewer.scope !== 'own',
  })
  const show = (row: CaseRow, newWindow: boolean) =>
    newWindow
      ? void window.open(casePath(row.caseId, 'peded_list'), '_blank', 'noopener')
      : navigate(casePath(row.caseId, 'peded_list'))
  const open = (row: CaseRow, newWindow: boolean) =>
    hasLeft(row)
      ? showToast({ intent: 'primary', message: t('desk.hasLeft') })
      : show(row, newWindow)
  return (
    <>
      <FilterBar
        fields={filterFields('ended', t, tree.data, viewer.scope)}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <DataGrid<CaseRow>
        id="peded_list:ended"
        label={t('desk.list.ended')}
        columns={columns}
        query={list.query}
        live={list.live}
        getRowId={(row) => row.caseId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        filters={url}
        emptyReason={{ text: t('desk.noneEnded') }}
        toolbar={tabs}
      />
    </>
  )
}

const FOLLOW_FILTERS = {
  orderId: 'text',
  caseId: 'text',
  collectorId: 'one',
  agencyId: 'one',
  stageId: 'many',
  contactResult: 'many',
  willingness: 'many',
  createTime: 'day',
} as const

function Follows({ tabs }: { tabs: ReactNode }): ReactNode {
  const t = useText('collection')
  const [, navigate] = useLocation()
  const viewer = useCaseViewer()
  const url = useGridUrlState(FOLLOW_FILTERS)
  const columns = useAwayLinks(FOLLOW_COLUMNS, 'peded_list')
  const input = useMemo(() => followInput(url.input), [url.input])
  const list = usePageQuery<typeof listFollows, FollowRow>(listFollows, input, ['case.followed'])
  const tree = useQuery({
    ...queryOf(collectionTree, {}, { quiet: true }),
    staleTime: 60_000,
    enabled: viewer.scope !== 'own',
  })
  const units =
    viewer.scope === 'own'
      ? []
      : [
          {
            name: 'agencyId',
            kind: 'one',
            label: t('desk.col.agencyName'),
            options: (tree.data?.agencies ?? []).map(({ id, name }) => ({
              value: id,
              label: name,
            })),
          } as const,
          {
            name: 'collectorId',
            kind: 'one',
            label: t('desk.col.operatorName'),
            options: (tree.data?.collectors ?? []).map(({ userId, userName, account }) => ({
              value: userId,
              label: `${userName} (${account})`,
            })),
          } as const,
        ]
  return (
    <>
      <FilterBar
        fields={[
          {
            name: 'orderId',
            kind: 'text',
            label: t('desk.col.orderId'),
            place: 'quick',
            placeholder: t('desk.col.orderId'),
          },
          {
            name: 'stageId',
            kind: 'many',
            label: t('desk.col.stageId'),
            options: STAGES.map((stage) => ({ value: stage, label: stage })),
          },
          {
            name: 'contactResult',
            kind: 'many',
            label: t('desk.col.contactResult'),
            options: CONTACT_RESULTS.map((value) => ({
              value: String(value),
              label: t(`contactResult.${value}`),
            })),
          },
          {
            name: 'willingness',
            kind: 'many',
            label: t('desk.col.lastWillingness'),
            options: WILLINGNESS.map((value) => ({
              value: String(value),
              label: t(`willingness.${value}`),
            })),
          },
          { name: 'createTime', kind: 'day', label: t('desk.col.createTime') },
          { name: 'caseId', kind: 'text', label: t('desk.col.caseId') },
          ...units,
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <DataGrid<FollowRow>
        id="peded_list:follows"
        label={t('desk.list.follows')}
        columns={columns}
        query={list.query}
        getRowId={(row) => row.followId}
        getVersion={() => 1}
        view={url.view}
        onView={url.setView}
        onOpen={(row) => navigate(casePath(row.caseId, 'peded_list'))}
        filters={url}
        emptyReason={{ text: t('desk.noFollows') }}
        toolbar={tabs}
      />
    </>
  )
}

function followInput(input: Record<string, unknown>): InputOf<typeof listFollows> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.join(',')
        : name === 'createTimeFrom'
          ? istStart(String(value))
          : name === 'createTimeTo'
            ? istEnd(String(value))
            : value,
    ]),
  )
}
