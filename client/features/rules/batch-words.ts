/** A state of an order in a batch, as codes and amounts, in words; and where its records are. */
import type { Text } from '#client/base/use-text.ts'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import type { BatchItem } from './batch-types.ts'
import type { BatchKind } from '#shared/rules/batch-sets.ts'
import { orderPath } from '#shared/orders/order-path.ts'

export function orderPathOf({ orderId }: BatchItem): string {
  return orderPath(orderId, 'batch_run')
}

/** Nothing for an order that is gone. */
export function customerPathOf({ userId }: BatchItem): string {
  return userId === null
    ? ''
    : `/customer_management/info?userId=${encodeURIComponent(userId)}&from=batch_run`
}

export function stepWords(t: Text, kind: BatchKind, value: string): string {
  const [first = '', second = ''] = value.split(' ')
  switch (kind) {
    case 'raiseLimit':
      return formatPaise(Number(value))
    case 'reduceRate':
      return formatBasisPoints(Number(value))
    case 'productTerm':
      return t('rules:step.term', { days: first, n: second })
    case 'verify':
      return t('rules:step.card', {
        bound: t(`review:bind.${first}`, { defaultValue: first }),
        similarity: formatBasisPoints(Number(second)),
      })
    case 'idcheck':
    case 'electricVerify':
      return t(`rules:step.${value}`)
    case 'credit':
    case 'manualReview':
      return t(`review:state.${value}`)
  }
}
