/** The customer page inside the console. */
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { useGoBack } from '#client/screen/use-go-back.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { CustomerPage } from './CustomerPage.tsx'

export function Screen(): ReactNode {
  const t = useCustomerText()
  const [params] = useSearchParams()
  const userId = params.get('userId') ?? ''
  const goBack = useGoBack('customer_list')
  if (userId === '')
    return (
      <Empty
        icon="people"
        reason={t('detail.none')}
        action={{ text: t('ui:detail.back'), onClick: goBack }}
      />
    )
  return (
    <CustomerPage
      key={userId}
      userId={userId}
      leave={{ text: t('ui:detail.back'), icon: 'arrow-left', run: goBack }}
    />
  )
}
