/** Columns of the paired screens. */
import { serverNow } from '#client/session/server-clock.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { BoardRow } from '#shared/wall/wall-api.ts'

/** A running screen contacts the server at least once a minute. */
const AWAY_MS = 180_000

const title = (name: string) => `wall:col.${name}`
export const SCREEN_COLUMNS: readonly GridColumn<BoardRow>[] = [
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
