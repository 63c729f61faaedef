import type { Text } from '#client/base/use-text.ts'
import { alreadyRequested } from '#client/screen/waiting-approval.ts'
import type { RecordRow } from '../payment-types.ts'

/**
 * Why this cannot be requested for a payment now, as text: a request to reverse it and one to keep
 * it exclude each other.
 */
export function requestRefusal(
  record: Pick<RecordRow, 'approval'>,
  kind: 'reversePayment' | 'paymentStands',
  t: Text,
): string | null {
  const { approval } = record
  if (approval === null || approval.kind === kind) return alreadyRequested(record, kind, t)
  const { approvalId, requestBy: name } = approval
  return t(`repayments:refused.${kind === 'reversePayment' ? 'toKeep' : 'toReverse'}`, {
    approvalId,
    name,
  })
}
