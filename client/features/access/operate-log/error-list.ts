/** Errors of browsers, one row per version, page and message. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { listClientErrors } from '#shared/access/operate-log-api.ts'
import { ERROR_COLUMNS } from './log-columns.ts'

export const errorList = listBody({
  endpoint: listClientErrors,
  rowId: 'errorId',
  texts: ['access'],
  id: 'operate_record_errors',
  label: 'operateLog.tab.errors',
  columns: ERROR_COLUMNS,
  filters: filtersOf({
    message: { kind: 'text', label: 'operateLog.col.message', place: 'quick' },
    time: { kind: 'day', label: 'operateLog.period', place: 'bar' },
    version: { kind: 'text', label: 'operateLog.col.version' },
  }),
  sort: 'time:desc',
  empty: 'operateLog.noErrors',
})
