/**
 * Columns of requests to move cases and of the log of moves. Constants: the grid compares columns
 * by identity.
 */
import { actorLabel } from '#client/session/actor-label.ts'
import { withPerson } from '#client/screen/person-column.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import { Attendance } from '#client/ui/grid/staff-cell.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import type { listChanges, listMoves } from '#shared/collection/allocation-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { casePath } from '#shared/collection/case-path.ts'

export type Change = DataOf<typeof listChanges>['rows'][number]
export type Move = DataOf<typeof listMoves>['rows'][number]

/** Who has one of the two lists open now. */
export const moversHere = new Attendance()

const TONES: Record<Change['state'], Tone> = {
  pending: 'warn',
  approved: 'info',
  rejected: 'neutral',
  done: 'good',
}
/** Highlights moves a person decided over automatic ones. */
const CAUSE_TONES: Record<Move['cause'], Tone> = {
  enter: 'neutral',
  auto: 'neutral',
  manual: 'info',
  recall: 'warn',
  change: 'info',
  stageMove: 'neutral',
  resume: 'good',
  reopen: 'warn',
}
const title = (name: string) => `collection:change.col.${name}`
const byWord = ({ by }: Move) => (by === null ? '' : actorLabel(by))

export const CHANGE_COLUMNS: readonly GridColumn<Change>[] = [
  textColumn<Change>({
    id: 'changeId',
    title: title('changeId'),
    width: 96,
    sort: 'changeId',
    pin: 'left',
  }),
  wordColumn<Change>({
    id: 'transferType',
    title: title('transferType'),
    width: 160,
    word: (type, { t }) => t(`collection:transferType.${type}`),
  }),
  withPerson(
    textColumn<Change>({
      id: 'from',
      exportFields: ['fromUserName', 'fromUnit'],
      title: title('from'),
      width: 156,
      value: (row) => row.fromUserName ?? row.fromUnit,
    }),
    moversHere,
    (row) => row.fromUserId,
  ),
  withPerson(
    textColumn<Change>({
      id: 'to',
      exportFields: ['toUserName', 'toUnit'],
      title: title('to'),
      width: 156,
      value: (row) => row.toUserName ?? row.toUnit,
    }),
    moversHere,
    (row) => row.toUserId,
  ),
  integerColumn<Change>({ id: 'count', title: title('count'), width: 72, sort: 'count' }),
  integerColumn<Change>({ id: 'movedCount', title: title('movedCount'), width: 80 }),
  statusColumn<Change>({
    id: 'state',
    title: title('state'),
    width: 104,
    sort: 'state',
    word: (state, { t }) => t(`collection:changeState.${state}`),
    tone: (state) => TONES[state as Change['state']],
  }),
  textColumn<Change>({ id: 'reason', title: title('reason'), width: 176 }),
  withPerson(
    textColumn<Change>({ id: 'launchBy', title: title('launchBy'), width: 150 }),
    moversHere,
    (row) => row.launchById,
  ),
  timeColumn<Change>({
    id: 'launchTime',
    title: title('launchTime'),
    width: 150,
    sort: 'launchTime',
  }),
  withPerson(
    textColumn<Change>({ id: 'decideBy', title: title('decideBy'), width: 150 }),
    moversHere,
    (row) => row.decideById,
  ),
  timeColumn<Change>({
    id: 'decideTime',
    title: title('decideTime'),
    width: 150,
    sort: 'decideTime',
  }),
]

export const MOVE_COLUMNS: readonly GridColumn<Move>[] = [
  timeColumn<Move>({ id: 'time', title: title('time'), width: 152, pin: 'left' }),
  idColumn<Move>({
    id: 'caseId',
    title: title('caseId'),
    width: 112,
    href: (row) => casePath(row.caseId, 'pedding_list'),
  }),
  textColumn<Move>({ id: 'orderId', title: title('orderId'), width: 112 }),
  statusColumn<Move>({
    id: 'cause',
    title: title('cause'),
    width: 170,
    word: (cause, { t }) => t(`collection:cause.${cause}`),
    tone: (cause) => CAUSE_TONES[cause as Move['cause']],
  }),
  withPerson(
    textColumn<Move>({ id: 'from', title: title('from'), width: 170 }),
    moversHere,
    (row) => row.fromUserId,
  ),
  withPerson(
    textColumn<Move>({ id: 'to', title: title('to'), width: 170 }),
    moversHere,
    (row) => row.toUserId,
  ),
  textColumn<Move>({
    id: 'stage',
    exportFields: ['toStage'],
    title: title('stage'),
    width: 92,
    value: (row) =>
      row.fromStage === null || row.fromStage === row.toStage
        ? row.toStage
        : `${row.fromStage} → ${row.toStage}`,
  }),
  withPerson(
    textColumn<Move>({ id: 'by', title: title('by'), width: 170, text: byWord }),
    moversHere,
    (row) => row.byUserId,
  ),
  textColumn<Move>({
    id: 'reason',
    title: title('reason'),
    width: 220,
    text: (row, { t }) =>
      row.reason === null ? '' : t(`collection:recall.${row.reason}`, { defaultValue: row.reason }),
  }),
]
