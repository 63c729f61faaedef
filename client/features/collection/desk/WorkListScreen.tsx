/**
 * A collector's work queue with the case beside it; leaders see their unit's queue, and the pool.
 */
import '../collection.css'
import './case.css'
import './work-list.css'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'
import { useRowPresence } from '#client/live/row-presence.ts'
import { readMatching } from '#client/screen/read-matching.ts'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { useAttendance } from '#client/screen/person-column.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { GridHandle } from '#client/ui/grid/grid-state.ts'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { useGridSelection } from '#client/ui/grid/use-grid-selection.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { casePath, NEXT_CASE } from '#shared/collection/case-path.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { AllocationDesk } from '../allocation/AllocationDesk.tsx'
import type { ChosenCases } from '../allocation/use-allocation-plan.ts'
import { useAwayLinks } from '../away-links.ts'
import { CaseBulkBar, useBulkRights } from './CaseBulkBar.tsx'
import { CASE_COLUMNS, collectorsHere, LED_COLUMNS } from './case-columns.ts'
import { CASE_FILTERS, CASE_VIEW, filterFields, caseInput } from './case-filters.ts'
import { CaseForms, type OpenForm } from './CaseForms.tsx'
import { CasePanel, type CaseWish } from './CasePanel.tsx'
import type { CaseRow, CaseTab } from './case-types.ts'
import { DeskBar } from './DeskBar.tsx'
import { NothingDue } from './NothingDue.tsx'
import { StageChips, WorkViews } from './StageChips.tsx'
import { useCaseList } from './use-case-list.ts'
import { useDeskFigures } from './use-desk-figures.ts'
import { useCaseViewer } from './use-case-viewer.ts'
import { useCaseRowActions } from './use-case-row-actions.ts'
import { useNextCase } from './use-next-case.ts'
import { useWorkShortcuts } from './use-work-shortcuts.ts'

export function Screen(): ReactNode {
  // with those of the panel: a panel that waits for texts would take the list with it
  const t = useText('collection', 'calls', 'repayments', 'orders', 'customers')
  const language = useLanguage()
  const [, navigate] = useLocation()
  const [, setQuery] = useSearchParams()
  const viewer = useCaseViewer()
  const { user } = useSession()
  const wide = useMedia('(min-width: 1600px)')
  const rights = useBulkRights()
  const mayAllocate = rights.allocate
  const params = new URLSearchParams(useSearch())
  const showsDesk = params.get('tab') === 'desk' && mayAllocate
  const tab: CaseTab = params.get('tab') === 'toAllocate' && mayAllocate ? 'toAllocate' : 'toFollow'
  const asked = params.get('open')
  const asksNext = asked === NEXT_CASE
  const openId = asksNext ? null : asked
  const url = useGridUrlState(CASE_FILTERS, CASE_VIEW)
  const input = useMemo(() => caseInput(tab, url.input), [tab, url.input])
  const [arrived, setArrived] = useState<{ count: number } | null>(null)
  const list = useCaseList({
    tab,
    viewer,
    input,
    view: url.view,
    key: url.key,
    openId,
    onArrived: (ids) =>
      tab === 'toFollow' &&
      viewer.scope === 'own' &&
      setArrived((now) => ({ count: (now?.count ?? 0) + ids.length })),
  })
  const ownOnly = user.scope.kind === 'own'
  const { narrow } = CASE_COLUMNS[tab]
  const columns = useAwayLinks(
    wide ? CASE_COLUMNS[tab].wide : tab === 'toFollow' && !ownOnly ? LED_COLUMNS : narrow,
    'pedding_list',
  )
  const figures = useDeskFigures()
  const tree = useQuery({
    ...queryOf(collectionTree, {}, { quiet: true }),
    staleTime: 60_000,
    enabled: !ownOnly,
  })
  const selection = useGridSelection<CaseRow>(`${tab} ${JSON.stringify(url.filters)}`, () =>
    readMatching(list.query, getRowId),
  )
  const grid = useRef<GridHandle<CaseRow>>(null)
  const chips = useRef<HTMLDivElement>(null)
  const [form, setForm] = useState<OpenForm | null>(null)
  const [chosen, setChosen] = useState<ChosenCases | null>(null)
  const panelNext = useRef<(() => void) | null>(null)
  const [wish, setWish] = useState<{ caseId: string; wish: CaseWish } | null>(null)
  useAttendance(collectorsHere, 'pedding_list')
  const atCase = useRowPresence('case', showsDesk ? NO_ROWS : list.live.order)
  const seenBy = useCallback(
    (row: CaseRow) => atCase(row.caseId).filter((member) => member.userId !== user.userId),
    [atCase, user.userId],
  )

  const setOpen = useCallback(
    (caseId: string | null) =>
      setQuery(
        (now) => {
          const query = new URLSearchParams(now)
          if (caseId === null) query.delete('open')
          else query.set('open', caseId)
          return query
        },
        // Back leads to where the next case was asked for, and does not ask again
        { replace: asksNext },
      ),
    [setQuery, asksNext],
  )
  const { show, next, idle, leaveIdle, rowsFree } = useNextCase({
    list,
    input,
    openId,
    asksNext,
    setOpen,
    grid,
  })
  const open = (row: CaseRow, newWindow: boolean) => {
    if (newWindow) window.open(casePath(row.caseId, 'pedding_list'), '_blank', 'noopener')
    // the pool shows no case beside the list: a user who allocates opens its page
    else if (tab === 'toAllocate') navigate(casePath(row.caseId, 'pedding_list'))
    else show(row.caseId)
  }
  /** Contact is made from the open case, which knows whether it is allowed now. */
  const contact = (row: CaseRow, wanted: CaseWish) => {
    setWish({ caseId: row.caseId, wish: wanted })
    show(row.caseId)
  }
  /** An open case with a call without a result asks first. */
  const confirmNext = () => (panelNext.current ?? (() => void next()))()
  /** Opens the allocation desk with the chosen cases of the pool, for a preview and an undo. */
  const toDesk = (rows: readonly CaseRow[]) => {
    setChosen({
      caseIds: rows.map((row) => row.caseId),
      stageIds: [...new Set(rows.map((row) => row.stageId))].toSorted(),
    })
    selection.clear()
    setTab('desk')
  }
  const setTab = (value: CaseTab | 'desk') =>
    setQuery(() => new URLSearchParams(value === 'toFollow' ? {} : { tab: value }))
  const tabs = mayAllocate ? (
    <Segmented
      label={t('menu.pedding_list')}
      value={showsDesk ? 'desk' : tab}
      segments={(['toFollow', 'toAllocate', 'desk'] as const).map((value) => ({
        value,
        label: t(`desk.list.${value}`),
      }))}
      onChange={setTab}
    />
  ) : null
  const selects = mayAllocate || rights.recall || rights.aiCalls
  /** Opens and closes the row beside the list; the focus stays in the list. */
  const peek = () => {
    const row = grid.current?.focused()
    if (row) show(row.caseId === openId ? null : row.caseId)
  }
  useWorkShortcuts({
    tab: showsDesk ? 'desk' : tab,
    isIdle: () => form === null,
    selects,
    hasSelection: () => selection.ids.size > 0 || selection.allMatching,
    grid,
    onNext: confirmNext,
    onPeek: peek,
    onDesk: () => void selection.take([...selection.ticked.values()], toDesk),
    onStages: () =>
      (
        chips.current?.querySelector<HTMLElement>('[aria-pressed=true]') ??
        chips.current?.querySelector('button')
      )?.focus(),
    onReread: list.live.refresh,
  })
  const rowActions = useCaseRowActions({
    tab,
    canWhatsapp: figures.data?.whatsapp !== 'none',
    onOpen: (row) => open(row, false),
    onContact: contact,
    onForm: setForm,
  })
  const nextTime = figures.data?.nextFollowTime ?? null
  if (showsDesk) {
    return (
      <div className="collection-list work-list">
        <h1 className="visually-hidden">{t('desk.list.desk')}</h1>
        <div className="work-tabs">{tabs}</div>
        <AllocationDesk chosen={chosen} onChosenDone={() => setChosen(null)} />
      </div>
    )
  }
  return (
    <div className="collection-list work-list">
      <h1 className="visually-hidden">{t('menu.pedding_list')}</h1>
      {tab === 'toFollow' && <DeskBar figures={figures.data} />}
      <div className="work-split">
        <div className="work-grid">
          {arrived !== null && (
            <button
              type="button"
              className="work-arrived"
              onClick={() => {
                setArrived(null)
                list.live.apply()
              }}
            >
              {t('desk.arrived', { cases: arrived.count })}
            </button>
          )}
          <FilterBar
            fields={filterFields(tab, t, tree.data, viewer.scope)}
            filters={url.filters}
            onChange={url.setFilters}
            onReset={url.resetFilters}
          >
            {tab === 'toFollow' && (
              <WorkViews
                view={url.filters.view}
                onView={(view) => url.setFilters({ view })}
                figures={figures.data}
              />
            )}
            {tab === 'toFollow' && (
              <ActionButton
                intent="primary"
                icon="play"
                text={t('desk.nextCase')}
                keys="N"
                disabledReason={(list.query.rows?.length ?? 0) === 0 ? t('desk.noneDue') : null}
                onClick={confirmNext}
              />
            )}
          </FilterBar>
          <DataGrid<CaseRow>
            key={tab}
            ref={grid}
            id={`pedding_list:${tab}`}
            label={t(`desk.list.${tab}`)}
            columns={columns}
            query={list.query}
            live={list.live}
            getRowId={getRowId}
            view={url.view}
            onView={url.setView}
            {...(selects ? { selection } : {})}
            peeks={tab === 'toFollow'}
            presence={seenBy}
            onOpen={open}
            openId={openId}
            rowActions={rowActions}
            bulkBar={(picked) => (
              <CaseBulkBar
                picked={picked}
                tab={tab}
                rights={rights}
                onForm={setForm}
                onDesk={toDesk}
              />
            )}
            filters={url}
            emptyReason={
              tab === 'toAllocate'
                ? { text: t('desk.poolEmpty') }
                : {
                    text: t('desk.noneDue'),
                    ...(nextTime === null
                      ? {}
                      : {
                          hint: t('desk.nextAt', {
                            time: formatIst(nextTime, 'dayTime', language),
                          }),
                        }),
                  }
            }
            toolbar={
              <div className="work-tools">
                {tabs}
                <StageChips
                  ref={chips}
                  stages={list.data?.stages ?? []}
                  chosen={url.filters.stageId}
                  onChoose={(stageId) => url.setFilters({ stageId })}
                />
              </div>
            }
          />
        </div>
        {openId !== null && tab === 'toFollow' && (
          <aside className="work-panel">
            <CasePanel
              caseId={openId}
              wish={wish?.caseId === openId ? wish.wish : null}
              onWished={() => setWish(null)}
              onClose={() => show(null)}
              onNext={() => void next()}
              onNextReady={(next) => {
                panelNext.current = next
              }}
              onRow={list.takeRow}
            />
          </aside>
        )}
        {idle !== null && tab === 'toFollow' && (
          <aside className="work-panel">
            <NothingDue rows={rowsFree} found={idle} onShow={show} onClose={leaveIdle} />
          </aside>
        )}
      </div>
      <CaseForms
        open={form}
        onDone={() => {
          selection.clear()
          list.reread()
        }}
        onClose={() => setForm(null)}
      />
    </div>
  )
}

const getRowId = (row: CaseRow) => row.caseId
const NO_ROWS: readonly string[] = []
