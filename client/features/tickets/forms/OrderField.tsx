/**
 * Selects the order a ticket is about, because nobody spells a Borrowing ID on the phone. Hidden
 * for a customer without orders.
 */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { orderStatusKey } from '#client/features/orders/public.tsx'
import { queryOf } from '#client/session/query.ts'
import { SelectField } from '#client/ui/form/fields.tsx'
import { customerDetail } from '#shared/customers/customer-detail-api.ts'

export function OrderField({ userId }: { userId: string }): ReactNode {
  const t = useText('tickets', 'orders')
  // the same call as the customer's page, and logged the same
  const { data } = useQuery({
    ...queryOf(customerDetail, { userId, sections: ['orders'] }, { quiet: true }),
    staleTime: 60_000,
  })
  const orders = data?.orders ?? []
  if (orders.length === 0) return null
  return (
    <SelectField
      name="orderId"
      label={t('form.order')}
      placeholder={t('form.noOrder')}
      options={orders.map(({ orderId, status }) => ({
        value: orderId,
        label: `${orderId} · ${t(orderStatusKey(status), { code: status })}`,
      }))}
    />
  )
}
