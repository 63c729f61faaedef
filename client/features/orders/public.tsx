/** What other features may use of orders. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusTag } from '#client/ui/StatusTag.tsx'
import { type Say, statusTone, statusWord } from './order-words.ts'

export { orderPath, orderStatusKey, penaltyLines } from './order-words.ts'

/** Status of an order in colour and words, in the language of the user. */
export function OrderStatusTag({ status }: { status: number }): ReactNode {
  const { t } = useTranslation('orders')
  const text = statusWord(status, t as unknown as Say)
  return (
    <StatusTag tone={statusTone(status)} title={text}>
      {text}
    </StatusTag>
  )
}
