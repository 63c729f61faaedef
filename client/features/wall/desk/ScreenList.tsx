/** The paired screens: what they show, when they were last seen, who paired them. */
import { bulkAction, forRow, panelAction } from '#client/screen/list/list-actions.ts'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { type BoardRow, editBoard, listBoards, revokeBoards } from '#shared/wall/wall-api.ts'
import { BOARD_CHANGED } from '#shared/wall/wall-live.ts'
import { SCREEN_COLUMNS } from './screen-columns.ts'
import { ScreenForm } from './ScreenForm.tsx'

const isActive = ({ state }: BoardRow) => state === 'active'

const edit = panelAction<BoardRow>({
  id: 'edit',
  endpoint: editBoard,
  text: 'form.edit',
  icon: 'edit',
  when: isActive,
  panel: (screen, { done, close }) => (
    <ScreenForm
      key={`${screen.boardId}:${screen.version}`}
      screen={screen}
      onDone={done}
      onClose={close}
    />
  ),
})

const revoke = bulkAction<typeof revokeBoards, BoardRow>(revokeBoards, {
  id: 'revoke',
  text: 'revoke.action',
  icon: 'stop',
  intent: 'danger',
  input: (boardIds) => ({ boardIds }),
  confirm: (screens, { t }) => ({
    title: t('revoke.ask'),
    body: (
      <>
        <p>
          {screens
            .map(({ name }) => name)
            .slice(0, 8)
            .join(', ')}
        </p>
        <p>{t('revoke.consequence')}</p>
      </>
    ),
  }),
})

export const ScreenList = listBody<typeof listBoards, BoardRow>({
  endpoint: listBoards,
  rowId: 'boardId',
  texts: ['wall'],
  label: 'desk.screens',
  columns: SCREEN_COLUMNS,
  refreshOn: [BOARD_CHANGED.type],
  actions: [edit, forRow(revoke, { when: isActive })],
  bulk: [revoke],
  open: 'edit',
  empty: 'desk.none',
})
