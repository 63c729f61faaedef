/** A list of tickets with the open one beside it: a queue, or both queues in intake. */
import { useText } from '#client/base/use-text.ts'
import '../tickets.css'
import { Icon } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'
import { RevealDialog } from '#client/features/customers/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { queryOf } from '#client/session/query.ts'
import { readMatching } from '#client/screen/read-matching.ts'
import { useAttendance } from '#client/screen/person-column.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { GridHandle } from '#client/ui/grid/grid-state.ts'
import { useGridSelection } from '#client/ui/grid/use-grid-selection.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { listTakers } from '#shared/tickets/tickets-api.ts'
import { TicketPanel } from '../desk/TicketPanel.tsx'
import { AddTicketForm } from '../forms/AddTicketForm.tsx'
import { type OpenForm, TicketForms } from '../forms/TicketForms.tsx'
import { startTicketLeases } from '../ticket-lease.ts'
import {
  canSome,
  QUEUE_OF,
  type TicketMenu,
  type TicketRow,
  type TicketTab,
} from '../ticket-types.ts'
import { useViewer } from '../use-viewer.ts'
import { OwnSwitch } from './OwnSwitch.tsx'
import { TakersDrawer } from './TakersDrawer.tsx'
import { TicketBulkBar } from './TicketBulkBar.tsx'
import { processorsHere } from './ticket-cells.ts'
import { TICKET_COLUMNS } from './ticket-columns.ts'
import {
  filterFields,
  type ListTab,
  liveFilters,
  ticketInput,
  TICKET_FILTERS,
  TICKET_VIEW,
} from './ticket-filters.ts'
import { useTicketLinks } from './ticket-links.ts'
import { rowActions } from './ticket-row-actions.ts'
import { QueueFigures, TicketTabs } from './TicketToolbar.tsx'
import { useClaim } from './use-claim.ts'
import { useNextTicket } from './use-next-ticket.ts'
import { useTicketList } from './use-ticket-list.ts'
import { ticketPath } from '#shared/tickets/ticket-path.ts'

export function TicketList({
  menu,
  tab,
  onTab,
}: {
  menu: TicketMenu
  tab: TicketTab
  onTab: (tab: ListTab) => void
}): ReactNode {
  const t = useText('tickets')
  const viewer = useViewer()
  const queue = QUEUE_OF[menu]
  const [, navigate] = useLocation()
  const [, setQuery] = useSearchParams()
  const query = new URLSearchParams(useSearch())
  const openId = query.get('open')
  const callerId = query.get('new')
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const url = useGridUrlState(TICKET_FILTERS, TICKET_VIEW)
  const filters = useMemo(() => liveFilters(url.filters), [url.filters])
  const input = useMemo(() => ticketInput(menu, tab, url.input), [menu, tab, url.input])
  const list = useTicketList({
    tab,
    queue,
    viewer,
    filters,
    input,
    view: url.view,
    key: url.key,
    openId,
  })
  const knowsTakers = canSome(viewer, queue, 'transfer') || canSome(viewer, queue, 'distribute')
  const takers = useQuery({
    ...queryOf(listTakers, { queue: queue ?? 'operation' }, { quiet: true }),
    enabled: knowsTakers,
    staleTime: 60_000,
  })
  const floor = useQuery({
    ...queryOf(collectionTree, {}, { quiet: true }),
    enabled: queue === 'loaned',
    staleTime: 60_000,
  })
  const selection = useGridSelection<TicketRow>(`${tab} ${JSON.stringify(url.filters)}`, () =>
    readMatching(list.query, getRowId),
  )
  const grid = useRef<GridHandle<TicketRow>>(null)
  const [form, setForm] = useState<OpenForm | null>(null)
  const [revealing, setRevealing] = useState<TicketRow | null>(null)
  const [shows, setShows] = useState<'add' | 'takers' | null>(null)
  const [claimedId, setClaimedId] = useState<string | null>(null)
  const { busyIds, claim } = useClaim(list.takeRow)
  useAttendance(processorsHere, menu)
  const columns = useTicketLinks(
    TICKET_COLUMNS[menu][tab][
      openId !== null && !wide ? 'docked' : wide && openId === null ? 'wide' : 'narrow'
    ],
    menu,
  )

  const show = useCallback(
    (feedbackId: string | null) =>
      setQuery((now) => {
        const query = new URLSearchParams(now)
        if (feedbackId === null) query.delete('open')
        else query.set('open', feedbackId)
        return query
      }),
    [setQuery],
  )
  const open = (row: TicketRow, newWindow = false) => {
    setClaimedId(null)
    if (newWindow) window.open(ticketPath(row.feedbackId, menu), '_blank', 'noopener')
    else show(row.feedbackId)
  }
  const openClaimed = ({ feedbackId }: TicketRow) => {
    setClaimedId(feedbackId)
    show(feedbackId)
  }
  const claimAndOpen = async (row: TicketRow) => {
    if (await claim(row)) openClaimed(row)
  }
  /** The next ticket below the open one that is not being resolved, starting again at the top. */
  const next = () => {
    const rows = list.live.store.rows().filter((row) => !list.live.leaving.has(row.feedbackId))
    const at = rows.findIndex((row) => row.feedbackId === openId)
    const following = rows.slice(at + 1).concat(rows.slice(0, Math.max(0, at)))[0]
    if (!following) return
    show(following.feedbackId)
    grid.current?.focusRow(following.feedbackId)
  }
  const isHandover = tab === 'handover'
  const { isClaiming, claimNext } = useNextTicket(queue, (row) => {
    list.takeRow(row)
    openClaimed(row)
  })
  // people who answer tickets get the next of theirs; others walk through the list
  const claims = !isHandover && canSome(viewer, queue, 'reply')
  const none = (list.query.rows?.length ?? 0) === 0 ? t('refused.emptyQueue') : null

  useShortcuts('screen', [
    {
      id: 'ticket-next',
      code: 'KeyN',
      labelKey: 'tickets:key.next',
      run: claims ? claimNext : next,
    },
    {
      id: 'ticket-new',
      code: 'KeyT',
      labelKey: 'tickets:key.new',
      when: () => canSome(viewer, queue, 'add') && offline === null,
      run: () => setShows('add'),
    },
  ])
  useEffect(() => startTicketLeases(viewer.userId), [viewer.userId])

  const stats = list.data?.stats
  return (
    <div className="ticket-split">
      <div className="ticket-grid">
        <FilterBar
          fields={filterFields(menu, tab, t, takers.data ?? [], floor.data)}
          filters={url.filters}
          onChange={url.setFilters}
          onReset={url.resetFilters}
        >
          {stats?.distributionOn != null && (
            <OwnSwitch userId={viewer.userId} isOn={stats.distributionOn} onTurned={list.reread} />
          )}
          {canSome(viewer, queue, 'distribute') && (
            <ActionButton
              icon="people"
              text={t('action.takers')}
              onClick={() => setShows('takers')}
            />
          )}
          {canSome(viewer, queue, 'add') && (
            <ActionButton
              icon="add"
              text={t('action.add')}
              keys="T"
              disabledReason={offline}
              onClick={() => setShows('add')}
            />
          )}
          {tab !== 'finished' && (
            <ActionButton
              intent="primary"
              icon="play"
              text={t('action.next')}
              keys="N"
              disabledReason={claims ? offline : none}
              busy={isClaiming}
              onClick={claims ? claimNext : next}
            />
          )}
        </FilterBar>
        {stats?.takers === 0 && canSome(viewer, queue, 'distribute') && (
          <p className="ticket-hint" role="status">
            <Icon icon="warning-sign" /> {t('banner.noTakers')}
          </p>
        )}
        <DataGrid<TicketRow>
          key={tab}
          ref={grid}
          id={`${menu}:${tab}`}
          label={t(`tab.${tab}`)}
          columns={columns}
          query={list.query}
          live={list.live}
          getRowId={getRowId}
          getVersion={getVersion}
          view={url.view}
          onView={url.setView}
          selection={selection}
          onOpen={open}
          openId={openId}
          busyIds={busyIds}
          rowActions={(row) =>
            rowActions(row, {
              viewer,
              offline,
              t,
              open,
              page: () => navigate(ticketPath(row.feedbackId, menu)),
              claim: () => void claimAndOpen(row),
              reveal: () => setRevealing(row),
              form: setForm,
            })
          }
          bulkBar={(chosen) => (
            <TicketBulkBar
              tab={tab}
              queue={queue}
              viewer={viewer}
              chosen={chosen}
              offline={offline}
              onForm={setForm}
            />
          )}
          filters={url}
          emptyReason={{
            text: t(`empty.${tab}`),
            ...(tab === 'mine' && (list.data?.counts.queue ?? 0) > 0
              ? { action: { text: t('tab.queue'), onClick: () => onTab('queue') } }
              : {}),
          }}
          toolbar={
            <>
              <TicketTabs
                menu={menu}
                tab={tab}
                viewer={viewer}
                counts={list.data?.counts}
                onTab={onTab}
              />
              {openId === null && <QueueFigures counts={list.data?.counts} stats={stats} />}
            </>
          }
        />
      </div>
      {openId !== null && (
        <aside className="ticket-aside">
          <TicketPanel
            key={openId}
            feedbackId={openId}
            repliesFirst={openId === claimedId}
            onClose={() => show(null)}
            onNext={next}
            onRow={list.takeRow}
          />
        </aside>
      )}
      <TicketForms
        open={form}
        viewer={viewer}
        onClose={() => setForm(null)}
        onDone={() => {
          selection.clear()
          list.reread()
        }}
        takeRow={list.takeRow}
      />
      {revealing && (
        <RevealDialog
          userId={revealing.userId}
          name={revealing.userName}
          field={{ name: 'phone', value: revealing.phone }}
          onClose={() => setRevealing(null)}
        />
      )}
      {shows === 'takers' && <TakersDrawer queue={queue} onClose={() => setShows(null)} />}
      {(shows === 'add' || (callerId !== null && canSome(viewer, queue, 'add'))) && (
        <AddTicketForm
          key={callerId}
          caller={callerId ?? ''}
          onDone={(feedbackId) => show(feedbackId)}
          onClose={() => {
            setShows(null)
            setQuery(withoutCaller, { replace: true })
          }}
        />
      )}
    </div>
  )
}

const withoutCaller = (now: URLSearchParams) => {
  const query = new URLSearchParams(now)
  query.delete('new')
  return query
}
const getRowId = (row: TicketRow) => row.feedbackId
const getVersion = (row: TicketRow) => row.version
