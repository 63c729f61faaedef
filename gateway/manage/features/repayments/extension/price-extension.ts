import type { Db } from '#gateway/manage/db/transaction.ts'
import type { Loan } from '../loan-store.ts'
import { countExtension, type Extension } from './count-extension.ts'
import { extensionFacts } from './extension-store.ts'

/** What extending a loan costs with money of that instant, booked today. @throws Problem O-RULE */
export async function priceExtension(db: Db, loan: Loan, paidAt: string): Promise<Extension> {
  return countExtension(loan, await extensionFacts(db, loan.orderId), { recordId: '', paidAt })
}
