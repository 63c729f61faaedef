/** Which of the customer's orders a ticket is about: chosen, since nobody on the phone spells a Borrowing ID. Without orders there is nothing to choose. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { orderStatusKey } from '#client/features/orders/public.tsx'
import { queryOf } from '#client/session/query.ts'
import { SelectField } from '#client/ui/fields.tsx'
import { customerDetail } from '#shared/customers/customer-detail-api.ts'
import type { Say } from '../use-say.ts'

export function OrderField({ userId }: { userId: string }): ReactNode {
  const t = useTranslation(['tickets', 'orders']).t as unknown as Say
  // as the customer's page asks for them, and logged as that
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
