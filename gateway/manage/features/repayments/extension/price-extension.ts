import type { Db } from '#gateway/manage/db/transaction.ts'
import type { Loan } from '../loan-store.ts'
import { countExtension, type Extension } from './count-extension.ts'
import { extensionFacts } from './extension-store.ts'

/**
 * Price of extending a loan with a payment of that instant, booked today.
 * @throws Problem O-RULE
 */
export async function priceExtension(db: Db, loan: Loan, paidAt: string): Promise<Extension> {
  const facts = await extensionFacts(db, loan, paidAt)
  return countExtension(loan, facts, { recordId: '', paidAt })
}
