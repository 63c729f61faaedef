/** Columns of the list of stops. */
import { actorLabel } from '#client/session/actor-label.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { durationText } from '#client/ui/value/duration-text.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { istDayEnd } from '#shared/kernel/time.ts'
import type { StopRow } from '../desk/case-types.ts'
import { stopTone } from '../desk/case-words.ts'

const title = (name: string) => `collection:stop.col.${name}`
export const STOP_COLUMNS: readonly GridColumn<StopRow>[] = [
  textColumn<StopRow>({ id: 'stopId', title: title('stopId'), width: 96, pin: 'left' }),
  textColumn<StopRow>({ id: 'userName', title: title('userName'), width: 160 }),
  tagsColumn<StopRow>({ id: 'orderIds', title: title('orderIds'), width: 130 }),
  wordColumn<StopRow>({
    id: 'reason',
    title: title('reason'),
    width: 196,
    word: (reason, { t }) => t(`collection:stopReason.${reason}`),
  }),
  statusColumn<StopRow>({
    id: 'state',
    title: title('state'),
    width: 120,
    word: (state, { t }) => t(`collection:stopState.${state}`),
    tone: stopTone,
  }),
  timeColumn<StopRow>({ id: 'startTime', title: title('startTime'), width: 152 }),
  dayColumn<StopRow>({
    id: 'endTime',
    title: title('endTime'),
    width: 116,
    text: (row, { t, language }) =>
      row.endTime === null ? t('collection:stop.openEnd') : formatIst(row.endTime, 'day', language),
  }),
  textColumn<StopRow>({
    id: 'left',
    exportKind: 'none',
    title: title('left'),
    width: 113,
    value: (row) => timeLeft(row),
    text: (row, { t }) => {
      const left = timeLeft(row)
      return left === null ? '' : durationText(left, t)
    },
  }),
  textColumn<StopRow>({
    id: 'files',
    exportKind: 'none',
    title: title('files'),
    width: 72,
    align: 'right',
    value: (row) => row.files.length || null,
    text: (row) => (row.files.length === 0 ? '' : String(row.files.length)),
  }),
  textColumn<StopRow>({
    id: 'applyBy',
    title: title('applyBy'),
    width: 190,
    text: (row) => actorLabel(row.applyBy),
  }),
  textColumn<StopRow>({ id: 'decideBy', title: title('decideBy'), width: 150 }),
  textColumn<StopRow>({ id: 'remark', title: title('remark'), width: 260 }),
  textColumn<StopRow>({ id: 'ticketId', title: title('ticketId'), width: 110 }),
  textColumn<StopRow>({ id: 'proofId', title: title('proofId'), width: 110 }),
]
/** Milliseconds until its last day is over; null without an end or when it is not in force. */
function timeLeft({ state, endTime }: StopRow): number | null {
  return endTime === null || state !== 'active' ? null : istDayEnd(endTime).getTime() - uiNow()
}
