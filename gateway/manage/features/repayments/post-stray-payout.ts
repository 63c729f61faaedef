import { istDay } from '#shared/kernel/time.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { LEDGER_ACCOUNT } from './ledger-accounts.ts'
import { postEntries } from './post-entries.ts'

export interface StrayPayout {
  orderId: string
  transferId: string
  /** Paise. */
  amount: number
}

/** Books what came back of it, whole or in part. */
export async function postStrayReturn(
  tx: CommandTx,
  { orderId, returnId, amount }: { orderId: string; returnId: string; amount: number },
): Promise<void> {
  const bizDate = istDay(await tx.now())
  await postEntries(tx.db, [
    {
      kind: 'strayReturn',
      orderId,
      bizDate,
      refId: returnId,
      lines: [
        { account: LEDGER_ACCOUNT.payoutClearing, planId: null, amount },
        { account: LEDGER_ACCOUNT.payoutRecoverable, planId: null, amount: -amount },
      ],
    },
  ])
}

/**
 * Books money that left beside the loan: the order was paid out by another transfer, or has ended.
 * It is claimed back from the payee; the loan does not change.
 */
export async function postStrayPayout(
  tx: CommandTx,
  { orderId, transferId, amount }: StrayPayout,
): Promise<void> {
  const bizDate = istDay(await tx.now())
  await postEntries(tx.db, [
    {
      kind: 'strayPayout',
      orderId,
      bizDate,
      refId: transferId,
      lines: [
        { account: LEDGER_ACCOUNT.payoutRecoverable, planId: null, amount },
        { account: LEDGER_ACCOUNT.payoutClearing, planId: null, amount: -amount },
      ],
    },
  ])
}
