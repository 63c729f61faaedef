/** What the columns of payments, proofs, reductions and write-offs have in common. */
import type { CellTools, GridColumn } from '#client/ui/grid/column-types.ts'
import { textColumn } from '#client/ui/grid/grid-columns.ts'
import { codeWord } from './payment-words.ts'

export const title = (name: string) => `repayments:col.${name}`

/** The text of a code of a closed set. */
export const word =
  (set: string) =>
  (code: string | number, { t }: CellTools) =>
    codeWord(set, code, t)

/** The id of the list's own records, which stays in view. */
export function ownIdColumn<Row>(id: string & keyof Row, width = 112): GridColumn<Row> {
  return textColumn<Row>({ id, title: title(id), width, sort: id, pin: 'left' })
}

/** The order a record is about, and its borrower. */
export function borrowerColumns<Row>(nameWidth = 150): readonly GridColumn<Row>[] {
  return [
    textColumn<Row>({ id: 'orderId', title: title('orderId'), width: 112, sort: 'orderId' }),
    textColumn<Row>({ id: 'userName', title: title('userName'), width: nameWidth }),
  ]
}
