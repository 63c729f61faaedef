/** Columns of payment proofs. Constants: the grid compares columns by identity. */
import type { CellTools, GridColumn } from '#client/ui/grid/column-types.ts'
import {
  integerColumn,
  moneyColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import { AwayCell } from '#client/ui/grid/away-cell.ts'
import { Attendance } from '#client/ui/grid/staff-cell.ts'
import { personColumn } from '#client/screen/person-column.ts'
import type { ProofRow } from '../payment-types.ts'
import { codeWord, proofTone, recordPath } from '../payment-words.ts'

const title = (name: string) => `repayments:col.${name}`
const word =
  (set: string) =>
  (code: string | number, { t }: CellTools) =>
    codeWord(set, code, t)

/** Which other users have the list of proofs open. */
export const proofStaff = new Attendance()

const ALL: readonly GridColumn<ProofRow>[] = [
  textColumn<ProofRow>({
    id: 'proofId',
    title: title('proofId'),
    width: 112,
    sort: 'proofId',
    pin: 'left',
  }),
  textColumn<ProofRow>({ id: 'orderId', title: title('orderId'), width: 112, sort: 'orderId' }),
  textColumn<ProofRow>({ id: 'userName', title: title('userName'), width: 134 }),
  statusColumn<ProofRow>({
    id: 'state',
    title: title('state'),
    width: 116,
    sort: 'state',
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
  textColumn<ProofRow>({ id: 'utr', title: title('utr'), width: 136 }),
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
  {
    ...textColumn<ProofRow>({
      id: 'recordId',
      title: title('recordId'),
      width: 112,
      href: (row) => (row.recordId === null ? '' : recordPath(row.recordId)),
    }),
    renderer: AwayCell,
  },
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

function shown(visible: readonly string[]): readonly GridColumn<ProofRow>[] {
  return ALL.map((column) => (visible.includes(column.id) ? column : { ...column, hidden: true }))
}

export const PROOF_COLUMNS = { narrow: shown(NARROW), wide: shown(WIDE) } as const
