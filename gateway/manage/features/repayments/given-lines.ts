import { type GivenUp, sumGiven } from '#shared/repayments/fold/give-up.ts'
import { LEDGER_ACCOUNT } from './ledger-accounts.ts'
import type { Line } from './post-entries.ts'

/** What is given up of each part, against its expense. @param sign 1 = it is owed again */
export function givenLines(
  account: Line['account'],
  given: ReadonlyMap<string, GivenUp>,
  sign: 1 | -1,
): Line[] {
  return [
    { account, planId: null, amount: -sign * sumGiven(given) },
    ...[...given].flatMap(([planId, parts]): Line[] => [
      { account: LEDGER_ACCOUNT.fineReceivable, planId, amount: sign * parts.fine },
      { account: LEDGER_ACCOUNT.serviceReceivable, planId, amount: sign * parts.service },
      { account: LEDGER_ACCOUNT.interestReceivable, planId, amount: sign * parts.interest },
    ]),
  ]
}
