/** A collector's day: the work queue with the case beside it; leaders see their unit's, and the pool (screens.md 5.5, ux.md 5.1). */
import '../collection.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'
import { useRowPresence } from '#client/live/row-presence.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { readMatching } from '#client/session/read-matching.ts'
import { useSession } from '#client/session/session-store.ts'
import { unlessOverlay } from '#client/shell/overlay.ts'
import { useAttendance } from '#client/shell/person-column.ts'
import { useMedia } from '#client/shell/use-media.ts'
import { useShortcuts } from '#client/shell/shortcuts.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import type { GridHandle } from '#client/ui/grid-state.ts'
import { Segmented } from '#client/ui/Segmented.tsx'
import { formatIst } from '#client/ui/ist-format.ts'
import { useGridSelection } from '#client/ui/useGridSelection.ts'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { collectionTree } from '#shared/collection/setup-api.ts'
import { useTranslation } from 'react-i18next'
import { AllocationDesk } from '../allocation/AllocationDesk.tsx'
import type { ChosenCases } from '../allocation/use-allocation-plan.ts'
import { useAwayLinks } from '../away-links.ts'
import { useSay } from '../use-say.ts'
import { CASE_COLUMNS, collectorsHere } from './case-columns.ts'
import { CASE_FILTERS, CASE_VIEW, filterFields, listInput } from './case-filters.ts'
import { CaseForms, type OpenForm } from './CaseForms.tsx'
import { CasePanel, type CaseWish } from './CasePanel.tsx'
import type { CaseRow, CaseTab } from './case-types.ts'
import { casePath } from './case-words.ts'
import { DeskBar } from './DeskBar.tsx'
import { StageChips, WorkViews } from './StageChips.tsx'
import { useCaseList } from './use-case-list.ts'
import { useDeskFigures } from './use-desk-figures.ts'
import { useCaseViewer } from './use-case-viewer.ts'

export function Screen(): ReactNode {
  const t = useSay()
  const { i18n } = useTranslation()
  const [, navigate] = useLocation()
  const [, setQuery] = useSearchParams()
  const viewer = useCaseViewer()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayAllocate = usePermission(['pedding_list:allocate'])
  const mayPlan = usePermission(['pedding_list:auto'])
  const mayRecall = usePermission(['pedding_list:recall'])
  const mayCall = usePermission(['pedding_list:call'])
  const mayFollow = usePermission(['pedding_list:follow'])
  const mayLink = usePermission(['pedding_list:link'])
  const mayProve = usePermission(['pedding_list:proof'])
  const mayReduce = usePermission(['pedding_list:reduce'])
  const mayStop = usePermission(['pedding_list:stop'])
  const mayEnd = usePermission(['pedding_list:end'])
  const asked = new URLSearchParams(useSearch())
  const showsDesk = asked.get('tab') === 'desk' && mayAllocate
  const tab: CaseTab = asked.get('tab') === 'toAllocate' && mayAllocate ? 'toAllocate' : 'toFollow'
  const openId = asked.get('open')
  const url = useGridUrlState(CASE_FILTERS, CASE_VIEW)
  const input = useMemo(() => listInput(tab, url.input), [tab, url.input])
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
  const columns = useAwayLinks(
    wide ? CASE_COLUMNS[tab].wide : CASE_COLUMNS[tab].narrow,
    'pedding_list',
  )
  const figures = useDeskFigures()
  const ownOnly = user.scope.kind === 'own'
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
  const [wish, setWish] = useState<{ caseId: string; wish: CaseWish } | null>(null)
  useAttendance(collectorsHere, 'pedding_list')
  const atCase = useRowPresence('case', showsDesk ? NO_ROWS : list.live.order)
  const seenBy = useCallback(
    (row: CaseRow) => atCase(row.caseId).filter((member) => member.userId !== user.userId),
    [atCase, user.userId],
  )

  const show = useCallback(
    (caseId: string | null) =>
      setQuery((now) => {
        const query = new URLSearchParams(now)
        if (caseId === null) query.delete('open')
        else query.set('open', caseId)
        return query
      }),
    [setQuery],
  )
  const open = (row: CaseRow, newWindow: boolean) => {
    if (newWindow) window.open(casePath(row.caseId, 'pedding_list'), '_blank', 'noopener')
    // beside the pool no case is shown: one who allocates sees it on its page
    else if (tab === 'toAllocate') navigate(casePath(row.caseId, 'pedding_list'))
    else show(row.caseId)
  }
  /** Contact is made in the open case, which knows whether it may be made now. */
  const contact = (row: CaseRow, wanted: CaseWish) => {
    setWish({ caseId: row.caseId, wish: wanted })
    show(row.caseId)
  }
  /** The first that is due and not the one just worked on. */
  const next = () => {
    const rows = list.live.store.rows().filter((row) => !list.live.leaving.has(row.caseId))
    const at = rows.findIndex((row) => row.caseId === openId)
    const following = rows
      .slice(at + 1)
      .concat(rows.slice(0, Math.max(0, at)))
      .find((row) => row.caseId !== openId)
    if (following) {
      show(following.caseId)
      grid.current?.focusRow(following.caseId)
    }
  }
  /** Takes the chosen cases of the pool to the desk, where they are given out with a preview and an undo (ux.md 5.3). */
  const toDesk = (rows: readonly CaseRow[]) => {
    setChosen({
      caseIds: rows.map((row) => row.caseId),
      stageIds: [...new Set(rows.map((row) => row.stageId))].sort(),
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
  const selects = mayAllocate || mayRecall
  /** Shows the row beside the list and takes it away again; the focus stays in the list. */
  const peek = () => {
    const row = grid.current?.focused()
    if (row) show(row.caseId === openId ? null : row.caseId)
  }
  useShortcuts(
    'screen',
    showsDesk
      ? []
      : [
          ...(tab === 'toFollow'
            ? [
                { id: 'case-next', code: 'KeyN', labelKey: 'collection:desk.key.next', run: next },
                {
                  id: 'case-peek',
                  code: 'Space',
                  labelKey: 'collection:desk.key.peek',
                  when: () => !document.activeElement?.closest(PRESSED_BY_SPACE),
                  run: peek,
                },
              ]
            : []),
          {
            id: 'case-down',
            code: 'KeyJ',
            labelKey: 'collection:desk.key.down',
            run: () => void grid.current?.move(1),
          },
          {
            id: 'case-up',
            code: 'KeyK',
            labelKey: 'collection:desk.key.up',
            run: () => void grid.current?.move(-1),
          },
          ...(selects
            ? [
                {
                  id: 'case-select',
                  code: 'KeyX',
                  labelKey: 'collection:desk.key.select',
                  run: () => grid.current?.toggleFocused(),
                },
              ]
            : []),
          ...(mayPlan && tab === 'toAllocate'
            ? [
                {
                  id: 'case-desk',
                  code: 'KeyA',
                  labelKey: 'collection:desk.key.desk',
                  when: () => selection.ids.size > 0 || selection.allMatching,
                  run: () => void selection.take([...selection.ticked.values()], toDesk),
                },
              ]
            : []),
          {
            id: 'case-more',
            code: 'KeyM',
            labelKey: 'collection:desk.key.more',
            run: () => grid.current?.openMenu(),
          },
          {
            id: 'case-stages',
            code: 'KeyS',
            labelKey: 'collection:desk.key.stages',
            run: () =>
              (
                chips.current?.querySelector<HTMLElement>('[aria-pressed=true]') ??
                chips.current?.querySelector('button')
              )?.focus(),
          },
          {
            id: 'case-reread',
            code: 'KeyR',
            labelKey: 'collection:desk.key.reread',
            run: list.live.refresh,
          },
        ]
          .map(unlessOverlay)
          .map((shortcut) => ({
            ...shortcut,
            when: () => form === null && shortcut.when?.() !== false,
          })),
  )
  const workActions = (row: CaseRow): RowAction[] => {
    const elsewhere =
      ownOnly && row.collectorId !== user.userId
        ? t('desk.lock.other', { name: row.collectorName ?? '' })
        : null
    return [
      ...(mayCall
        ? [
            {
              id: 'call',
              text: t('desk.call'),
              icon: 'phone',
              separated: true,
              disabledReason: offline ?? elsewhere,
              onClick: () => contact(row, 'call'),
            } as const,
            {
              id: 'whatsapp',
              text: t('desk.whatsapp'),
              icon: 'chat',
              disabledReason:
                offline ??
                elsewhere ??
                (figures.data?.whatsapp === 'none' ? t('desk.noWhatsapp') : null),
              onClick: () => contact(row, 'whatsapp'),
            } as const,
          ]
        : []),
      ...(mayFollow
        ? [
            {
              id: 'follow',
              text: t('desk.follow'),
              icon: 'edit',
              disabledReason: elsewhere,
              onClick: () => contact(row, 'follow'),
            } as const,
          ]
        : []),
      ...(mayLink
        ? [
            {
              id: 'link',
              text: t('desk.link'),
              icon: 'link',
              disabledReason: offline ?? elsewhere,
              onClick: () => setForm({ form: 'link', row }),
            } as const,
          ]
        : []),
      ...(mayProve
        ? [
            {
              id: 'proof',
              text: t('desk.proof'),
              icon: 'upload',
              disabledReason: offline,
              onClick: () => setForm({ form: 'proof', row }),
            } as const,
          ]
        : []),
      ...(mayReduce
        ? [
            {
              id: 'reduce',
              text: t('desk.reduce'),
              icon: 'arrow-down',
              disabledReason: offline,
              onClick: () => setForm({ form: 'reduce', row }),
            } as const,
          ]
        : []),
    ]
  }
  const rowActions = (row: CaseRow): RowAction[] => [
    { id: 'open', text: t('desk.openCase'), icon: 'document', onClick: () => open(row, false) },
    ...(tab === 'toFollow'
      ? [
          {
            id: 'page',
            text: t('desk.openPage'),
            icon: 'fullscreen',
            onClick: () => navigate(casePath(row.caseId, 'pedding_list')),
          } as const,
          ...workActions(row),
        ]
      : []),
    ...(mayAllocate && row.state !== 'allocating'
      ? [
          {
            id: 'allocate',
            text: t('desk.allocate'),
            icon: 'swap-horizontal',
            disabledReason: offline,
            onClick: () => setForm({ form: 'allocate', rows: [row] }),
          } as const,
        ]
      : []),
    ...(mayRecall && row.state === 'allocated'
      ? [
          {
            id: 'recall',
            text: t('desk.recall'),
            icon: 'undo',
            disabledReason: offline,
            onClick: () => setForm({ form: 'recall', rows: [row] }),
          } as const,
        ]
      : []),
    ...(mayStop
      ? [
          {
            id: 'stop',
            text: t('stop.short'),
            icon: 'stop',
            separated: true,
            disabledReason: offline,
            onClick: () => setForm({ form: 'stop', row }),
          } as const,
        ]
      : []),
    ...(mayEnd
      ? [
          {
            id: 'end',
            text: t('desk.end'),
            icon: 'ban-circle',
            intent: 'danger',
            disabledReason: offline,
            onClick: () => setForm({ form: 'end', row }),
          } as const,
        ]
      : []),
  ]
  const nextDue = figures.data?.nextFollowTime ?? null
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
      <div className="work-split">
        <div className="work-grid">
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
                onClick={next}
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
              <>
                {mayAllocate && (
                  <ActionButton
                    icon="swap-horizontal"
                    text={t('desk.allocate')}
                    disabledReason={offline}
                    onClick={() => picked.take((rows) => setForm({ form: 'allocate', rows }))}
                  />
                )}
                {mayPlan && tab === 'toAllocate' && (
                  <ActionButton
                    icon="send-to"
                    text={t('desk.toDesk')}
                    keys="A"
                    disabledReason={offline}
                    onClick={() => picked.take(toDesk)}
                  />
                )}
                {mayRecall && tab === 'toFollow' && (
                  <ActionButton
                    icon="undo"
                    text={t('desk.recall')}
                    disabledReason={offline}
                    onClick={() => picked.take((rows) => setForm({ form: 'recall', rows }))}
                  />
                )}
              </>
            )}
            filters={url}
            emptyReason={
              tab === 'toAllocate'
                ? { text: t('desk.poolEmpty') }
                : {
                    text: t('desk.noneDue'),
                    ...(nextDue === null
                      ? {}
                      : {
                          hint: t('desk.nextAt', {
                            time: formatIst(nextDue, 'dayTime', i18n.language),
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
              onNext={next}
              onRow={list.takeRow}
            />
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
/** What has a meaning of its own for Space. */
const PRESSED_BY_SPACE = 'button, a, summary, select, input[type=checkbox], [role=button]'
