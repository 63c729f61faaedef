/** The paired screens: what they show, when they were last seen, who paired them. */
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useMemo, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { useSend } from '#client/session/query.ts'
import { readMatching } from '#client/screen/read-matching.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { useBulk } from '#client/screen/use-bulk.tsx'
import { usePageQuery } from '#client/screen/use-list-query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import { useGridSelection } from '#client/ui/grid/use-grid-selection.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { type BoardRow, listBoards, revokeBoards } from '#shared/wall/wall-api.ts'
import { BOARD_CHANGED } from '#shared/wall/wall-live.ts'
import { ScreenForm } from './ScreenForm.tsx'

/** A running screen contacts the server at least once a minute. */
const AWAY_MS = 180_000

const title = (name: string) => `wall:col.${name}`
const COLUMNS: readonly GridColumn<BoardRow>[] = [
  textColumn<BoardRow>({ id: 'name', title: title('name'), width: 190, sort: 'name', pin: 'left' }),
  statusColumn<BoardRow>({
    id: 'state',
    title: title('state'),
    width: 118,
    value: stateOf,
    word: (state, { t }) => t(`wall:state.${state}`),
    tone: (state) => (state === 'active' ? 'good' : state === 'away' ? 'warn' : 'neutral'),
  }),
  textColumn<BoardRow>({
    id: 'unit',
    title: title('unit'),
    width: 200,
    value: (row) => row.unitName,
    text: (row, { t }) => row.unitName ?? t('wall:desk.wholeCompany'),
  }),
  textColumn<BoardRow>({
    id: 'stageId',
    title: title('stageId'),
    width: 110,
    text: (row, { t }) => row.stageId ?? t('wall:desk.allStages'),
  }),
  wordColumn<BoardRow>({
    id: 'profile',
    title: title('profile'),
    width: 128,
    value: (row) => row.settings.profile,
    word: (profile, { t }) => t(`wall:profile.${profile}`),
  }),
  textColumn<BoardRow>({
    id: 'scenes',
    title: title('scenes'),
    width: 230,
    value: (row) => row.settings.scenes.join(','),
    text: (row, { t }) => row.settings.scenes.map((scene) => t(`wall:scene.${scene}`)).join(' · '),
  }),
  timeColumn<BoardRow>({ id: 'lastSeen', title: title('lastSeen'), sort: 'lastSeen' }),
  textColumn<BoardRow>({ id: 'pairedBy', title: title('pairedBy'), width: 160, sort: 'pairedBy' }),
  timeColumn<BoardRow>({ id: 'pairTime', title: title('pairTime'), sort: 'pairTime' }),
  textColumn<BoardRow>({ id: 'appVersion', title: title('appVersion'), width: 130 }),
  idColumn<BoardRow>({ id: 'boardId', title: 'wall:col.id', width: 100 }),
]

function stateOf(row: BoardRow): string {
  if (row.state !== 'active') return row.state
  return row.lastSeen !== null && serverNow() - Date.parse(row.lastSeen) < AWAY_MS
    ? 'active'
    : 'away'
}

const getRowId = (row: BoardRow) => row.boardId

export function ScreenList({ onPair }: { onPair: () => void }): ReactNode {
  const t = useText('wall')
  const { reason: offline } = useConnection()
  const url = useGridUrlState({})
  const list = usePageQuery<typeof listBoards, BoardRow>(
    listBoards,
    useMemo(() => url.input, [url.input]),
    [BOARD_CHANGED.type],
  )
  const selection = useGridSelection<BoardRow>('', () => readMatching(list.query, getRowId))
  const revoke = useSend(revokeBoards)
  const [editing, setEditing] = useState<BoardRow | null>(null)
  const [ending, setEnding] = useState<readonly BoardRow[] | null>(null)
  const { run, refused } = useBulk({
    key: 'board-revoke',
    onDone: () => {
      selection.clear()
      list.refetch()
    },
  })
  const rowActions = (row: BoardRow): RowAction[] =>
    row.state === 'active'
      ? [
          {
            id: 'edit',
            text: t('form.edit'),
            icon: 'edit',
            disabledReason: offline,
            onClick: () => setEditing(row),
          },
          {
            id: 'revoke',
            text: t('revoke.action'),
            icon: 'stop',
            disabledReason: offline,
            onClick: () => setEnding([row]),
          },
        ]
      : []
  return (
    <>
      <DataGrid<BoardRow>
        id="loaned_board"
        label={t('desk.screens')}
        columns={COLUMNS}
        query={list.query}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        selection={selection}
        rowActions={rowActions}
        onOpen={(row) => row.state === 'active' && setEditing(row)}
        bulkBar={(chosen) => (
          <ActionButton
            icon="stop"
            intent="danger"
            text={t('revoke.action')}
            disabledReason={offline}
            onClick={() => chosen.take(setEnding)}
          />
        )}
        emptyReason={{ text: t('desk.none'), action: { text: t('desk.pair'), onClick: onPair } }}
      />
      {editing !== null && (
        <ScreenForm
          key={`${editing.boardId}:${editing.version}`}
          screen={editing}
          onDone={list.refetch}
          onClose={() => setEditing(null)}
        />
      )}
      <ConfirmAction
        isOpen={ending !== null}
        intent="danger"
        title={t('revoke.ask')}
        count={ending?.length ?? 0}
        confirmText={t('revoke.action')}
        onConfirm={() =>
          run((ending ?? []).map(getRowId), (boardIds) => revoke.mutateAsync({ boardIds }))
        }
        onClose={() => setEnding(null)}
      >
        <p>
          {ending
            ?.map((row) => row.name)
            .slice(0, 8)
            .join(', ')}
        </p>
        <p>{t('revoke.consequence')}</p>
      </ConfirmAction>
      {refused}
    </>
  )
}
