/** Processed cases and the record of every contact. */
import { useText } from '#client/base/use-text.ts'
import '../collection.css'
import './case.css'
import './work-list.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useLocation } from 'wouter'
import { queryOf } from '#client/session/query.ts'
import type { ListBodyProps } from '#client/screen/list/ListBody.tsx'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { useAttendance } from '#client/screen/person-column.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import { showToast } from '#client/ui/feedback/toasts.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { hasLeft, useAwayLinks } from '../away-links.ts'
import { CASE_COLUMNS, collectorsHere } from './case-columns.ts'
import { CASE_FILTERS, filterFields, caseInput } from './case-filters.ts'
import type { CaseRow } from './case-types.ts'
import { followList } from './follow-list.ts'
import { useCaseList } from './use-case-list.ts'
import { useCaseViewer } from './use-case-viewer.ts'
import { casePath } from '#shared/collection/case-path.ts'

export const Screen = tabbedScreen({
  texts: ['collection'],
  menu: 'peded_list',
  tabs: { ended: Ended, follows: followList },
  title: 'desk.list',
})

function Ended({ tabs }: ListBodyProps): ReactNode {
  const t = useText('collection')
  const [, navigate] = useLocation()
  const viewer = useCaseViewer()
  useAttendance(collectorsHere, 'peded_list')
  const columns = useAwayLinks(
    useMedia('(min-width: 1600px)') ? CASE_COLUMNS.ended.wide : CASE_COLUMNS.ended.narrow,
    'peded_list',
  )
  const url = useGridUrlState(CASE_FILTERS)
  const input = useMemo(() => caseInput('ended', url.input), [url.input])
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
