/** Columns of the records of contacts. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  maskedColumn,
  stageColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { formatNear } from '#client/ui/value/ist-format.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import type { FollowRow } from './case-types.ts'
import { title, word } from './case-columns.ts'
import { casePath } from '#shared/collection/case-path.ts'

export const FOLLOW_COLUMNS: readonly GridColumn<FollowRow>[] = [
  timeColumn<FollowRow>({
    id: 'createTime',
    title: title('createTime'),
    width: 152,
    sort: 'createTime',
    pin: 'left',
  }),
  textColumn<FollowRow>({ id: 'userName', title: title('userName'), width: 150 }),
  stageColumn<FollowRow>({ id: 'stageId', title: title('stageId'), width: 70 }),
  textColumn<FollowRow>({ id: 'operatorName', title: title('operatorName'), width: 150 }),
  wordColumn<FollowRow>({
    id: 'contactWay',
    title: title('contactWay'),
    width: 100,
    word: word('contactWay'),
  }),
  maskedColumn<FollowRow>({ id: 'contactNumber', title: title('contactNumber'), width: 112 }),
  yesNoColumn<FollowRow>({ id: 'reachable', title: title('reachable'), width: 92 }),
  wordColumn<FollowRow>({
    id: 'contactResult',
    title: title('contactResult'),
    width: 150,
    word: word('contactResult'),
  }),
  wordColumn<FollowRow>({
    id: 'willingness',
    title: title('lastWillingness'),
    width: 160,
    word: word('willingness'),
  }),
  textColumn<FollowRow>({
    id: 'ptpTime',
    exportKind: 'time',
    title: title('ptpTime'),
    width: 150,
    text: (row, { language }) =>
      row.ptpTime === null
        ? ''
        : `${formatNear(row.ptpTime, language)} · ${formatPaise(row.ptpAmount ?? 0)}`,
    tip: () => '',
  }),
  timeColumn<FollowRow>({ id: 'nextFollowTime', title: title('nextFollowTime'), width: 152 }),
  timeColumn<FollowRow>({
    id: 'commitmentTime',
    title: title('commitmentTime'),
    width: 152,
    hidden: true,
  }),
  timeColumn<FollowRow>({
    id: 'allocationTime',
    title: title('allocationTime'),
    width: 152,
    hidden: true,
  }),
  textColumn<FollowRow>({ id: 'remark', title: title('remark'), width: 260 }),
  integerColumn<FollowRow>({ id: 'durationSec', title: title('durationSec'), width: 110 }),
  wordColumn<FollowRow>({
    id: 'endCause',
    title: 'calls:col.endCause',
    width: 150,
    word: (cause, { t }) => t(`calls:endCause.${cause}`),
  }),
  textColumn<FollowRow>({ id: 'agencyName', title: title('agencyName'), width: 150 }),
  idColumn<FollowRow>({
    id: 'caseId',
    title: title('caseId'),
    width: 112,
    href: (row) => casePath(row.caseId, 'peded_list'),
  }),
  textColumn<FollowRow>({ id: 'orderId', title: title('orderId'), width: 112 }),
]
