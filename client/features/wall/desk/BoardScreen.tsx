/** The collection board in the console: the figures of the wall, its alerts and its screens. */
import { useText } from '#client/base/use-text.ts'
import '../wall.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { approvePairing } from '#shared/wall/wall-api.ts'
import { CODE_PATTERN } from '#shared/wall/wall-sets.ts'
import { DeskBoard } from './DeskBoard.tsx'
import { LimitsForm } from './LimitsForm.tsx'
import { PairForm } from './PairForm.tsx'
import { ScreenList } from './ScreenList.tsx'
import { useBoard } from './use-board.ts'

const FILTERS = { agencyId: 'one', stageId: 'one' } as const

export function Screen(): ReactNode {
  const t = useText('wall')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const [, navigate] = useLocation()
  const [query, setQuery] = useSearchParams()
  const mayPair = usePermission(approvePairing.access)
  const url = useGridUrlState(FILTERS)
  const input = useMemo(() => scopeInput(url.filters), [url.filters])
  const board = useBoard(input)
  const tree = useQuery({
    ...queryOf(collectionTree, {}, { quiet: true }),
    staleTime: 60_000,
    enabled: user.scope.kind === 'all',
  })
  const tab = query.get('tab') === 'screens' && mayPair ? 'screens' : 'board'
  // a telephone that scanned the QR code opens this page with the code
  const [pairing, setPairing] = useState<{ code: string } | null>(() =>
    mayPair && new RegExp(CODE_PATTERN).test(query.get('pair') ?? '')
      ? { code: query.get('pair') ?? '' }
      : null,
  )
  const [setting, setSetting] = useState(false)
  useWatch('menu', 'loaned_board')
  const stages = board.data?.stageTable ?? []
  const stageOptions = (
    input.stageId === undefined
      ? stages.map((line) => line.stageId)
      : ['T0', 'T1', 'T2', 'S1', 'S2', 'M1', 'M2', 'M3']
  ).map((value) => ({ value, label: value }))
  const open = (next: 'board' | 'screens') =>
    setQuery((now) => {
      const after = new URLSearchParams(now)
      if (next === 'screens') after.set('tab', next)
      else after.delete('tab')
      return after
    })
  function endPairing(): void {
    setPairing(null)
    if (query.has('pair'))
      navigate('/loaned_management/loaned_board?tab=screens', { replace: true })
  }
  return (
    <div className="wall-desk">
      <h1 className="visually-hidden">{t('menu.loaned_board')}</h1>
      {mayPair ? (
        <div className="wall-desk-bar">
          <Segmented
            label={t('menu.loaned_board')}
            value={tab}
            onChange={open}
            segments={[
              { value: 'board', label: t('desk.board') },
              { value: 'screens', label: t('desk.screens') },
            ]}
          />
          <span className="wall-desk-space" />
          <ActionButton
            icon="take-action"
            text={t('desk.limits')}
            disabledReason={offline}
            onClick={() => setSetting(true)}
          />
          <ActionButton
            icon="plus"
            intent="primary"
            text={t('desk.pair')}
            disabledReason={offline}
            onClick={() => setPairing({ code: '' })}
          />
        </div>
      ) : null}
      {tab === 'screens' ? (
        <ScreenList />
      ) : (
        <>
          <FilterBar
            fields={[
              ...(user.scope.kind === 'all'
                ? [
                    {
                      name: 'agencyId',
                      kind: 'one',
                      label: t('desk.agency'),
                      place: 'bar',
                      options: (tree.data?.agencies ?? []).map((agency) => ({
                        value: agency.id,
                        label: agency.name,
                      })),
                    } as const,
                  ]
                : []),
              {
                name: 'stageId',
                kind: 'one',
                label: t('desk.stage'),
                place: 'bar',
                options: stageOptions,
              },
            ]}
            filters={url.filters}
            onChange={url.setFilters}
            onReset={url.resetFilters}
          />
          {board.data ? (
            <DeskBoard figures={board.data} agencyId={input.agencyId} />
          ) : board.error ? (
            <ErrorPane error={board.error} onRetry={() => void board.refetch()} />
          ) : (
            <div className="wall-desk-wait" aria-busy="true" />
          )}
        </>
      )}
      {pairing !== null && (
        <PairForm
          code={pairing.code}
          agencies={tree.data?.agencies ?? []}
          onDone={() => open('screens')}
          onClose={endPairing}
        />
      )}
      {setting && board.data ? (
        <LimitsForm agencyId={input.agencyId} onClose={() => setSetting(false)} />
      ) : null}
    </div>
  )
}

function scopeInput(filters: { agencyId?: unknown; stageId?: unknown }): {
  agencyId?: string
  stageId?: string
} {
  const { agencyId, stageId } = filters
  return {
    ...(typeof agencyId === 'string' && agencyId !== '' ? { agencyId } : {}),
    ...(typeof stageId === 'string' && stageId !== '' ? { stageId } : {}),
  }
}
