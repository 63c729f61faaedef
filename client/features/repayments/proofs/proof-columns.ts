/** Columns of payment proofs. Constants: the grid compares columns by identity. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  integerColumn,
  moneyColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import { awayColumn } from '#client/ui/grid/away-cell.ts'
import { shown } from '#client/ui/grid/shown-columns.ts'
import { Attendance } from '#client/ui/grid/staff-cell.ts'
import { personColumn } from '#client/screen/person-column.ts'
import type { ProofRow } from '../payment-types.ts'
import { borrowerColumns, ownIdColumn, title, word } from '../column-parts.ts'
import { codeWord, proofTone, recordPath } from '../payment-words.ts'

/** Which other users have the list of proofs open. */
export const proofStaff = new Attendance()

const ALL: readonly GridColumn<ProofRow>[] = [
  ownIdColumn<ProofRow>('proofId'),
  ...borrowerColumns<ProofRow>(134),
  statusColumn<ProofRow>({
    id: 'state',
    title: title('state'),
    width: 116,
    word: word('proofState'),
    tone: proofTone,
  }),
  statusColumn<ProofRow>({
    id: 'duplicate',
    title: title('duplicate'),
    width: 100,
    value: (row) => (row.duplicate ? 'duplicate' : null),
    word: (_, { t }) => t('repayments:proof.duplicate'),
    tone: () => 'bad',
    exportKind: 'yesNo',
  }),
  moneyColumn<ProofRow>({ id: 'amount', title: title('amount'), width: 106, sort: 'amount' }),
  textColumn<ProofRow>({ id: 'utr', title: title('utr'), width: 168 }),
  timeColumn<ProofRow>({ id: 'payTime', title: title('payTime'), width: 164, sort: 'payTime' }),
  wordColumn<ProofRow>({
    id: 'channel',
    title: title('channel'),
    width: 118,
    word: word('channel'),
  }),
  integerColumn<ProofRow>({
    id: 'files',
    title: title('files'),
    width: 72,
    value: (row) => row.fileIds.length,
    exportFields: ['fileIds'],
  }),
  textColumn<ProofRow>({
    id: 'submitName',
    title: title('submitName'),
    width: 130,
    text: (row, { t }) =>
      row.submitter === 'customer' ? codeWord('submitter', 'customer', t) : row.submitName,
  }),
  timeColumn<ProofRow>({
    id: 'createTime',
    title: title('createTime'),
    width: 164,
    sort: 'createTime',
  }),
  personColumn<ProofRow>(proofStaff, {
    id: 'decideBy',
    title: title('decideBy'),
    width: 160,
    userId: (row) => row.decideById,
  }),
  timeColumn<ProofRow>({
    id: 'decideTime',
    title: title('decideTime'),
    width: 150,
    sort: 'decideTime',
  }),
  textColumn<ProofRow>({ id: 'reason', title: title('reason'), width: 200 }),
  awayColumn<ProofRow>({
    id: 'recordId',
    title: title('recordId'),
    width: 112,
    href: (row) => (row.recordId === null ? '' : recordPath(row.recordId)),
  }),
]
const NARROW = [
  'proofId',
  'orderId',
  'userName',
  'state',
  'duplicate',
  'amount',
  'utr',
  'payTime',
  'submitName',
  'createTime',
]
const WIDE = [...NARROW, 'channel', 'files', 'decideBy']

export const PROOF_COLUMNS = { narrow: shown(ALL, NARROW), wide: shown(ALL, WIDE) } as const
