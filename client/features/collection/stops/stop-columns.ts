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
import { daysBetween, istDay } from '#shared/kernel/time.ts'
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
      row.endTime === null ? t('collection:stop.openEnd') : dayText(row.endTime, language),
  }),
  textColumn<StopRow>({
    id: 'left',
    exportKind: 'none',
    title: title('left'),
    width: 108,
    value: (row) => daysLeft(row),
    text: (row, { t }) =>
      daysLeft(row) === null ? '' : t('collection:stop.daysLeft', { days: daysLeft(row) }),
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
/** IST days until it ends, 0 for today; null without an end or after it. */
function daysLeft({ state, endTime }: StopRow): number | null {
  return endTime === null || state !== 'active'
    ? null
    : Math.max(0, daysBetween(istDay(uiNow()), endTime))
}
function dayText(day: string, language: string): string {
  return new Intl.DateTimeFormat(`${language === 'en' ? 'en-IN' : language}-u-ca-gregory-nu-latn`, {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T12:00:00Z`))
}
