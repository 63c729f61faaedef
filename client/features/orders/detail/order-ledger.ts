/** Groups the ledger lines of an order into postings with sums and running totals. Pure. */
import type { LedgerLine } from '../order-types.ts'

export interface Posting {
  txnId: string
  time: string
  day: string
  kind: string
  lines: readonly LedgerLine[]
  /** Paise, of this posting alone. */
  debit: number
  credit: number
  /** Paise, of this and all earlier postings. */
  debitSoFar: number
  creditSoFar: number
}

/**
 * Postings are sorted oldest first, as in the ledger. A rollover books part of a posting on the
 * successor order, so debit and credit may differ here.
 */
export function postingsOf(lines: readonly LedgerLine[]): Posting[] {
  const groups = new Map<string, LedgerLine[]>()
  for (const line of lines) groups.set(line.txnId, [...(groups.get(line.txnId) ?? []), line])
  let debitSoFar = 0
  let creditSoFar = 0
  return [...groups].map(([txnId, own]) => {
    const first = own[0] as LedgerLine
    const debit = own.reduce((sum, line) => sum + line.debit, 0)
    const credit = own.reduce((sum, line) => sum + line.credit, 0)
    debitSoFar += debit
    creditSoFar += credit
    return {
      txnId,
      time: first.time,
      day: first.day,
      kind: first.kind,
      lines: own,
      debit,
      credit,
      debitSoFar,
      creditSoFar,
    }
  })
}
