/** The customer in the console (screens.md 2.2). */
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { useGoBack } from '#client/shell/use-go-back.ts'
import { Empty } from '#client/ui/Empty.tsx'
import { useSay } from '../use-say.ts'
import { CustomerPage } from './CustomerPage.tsx'

export function Screen(): ReactNode {
  const t = useSay()
  const [params] = useSearchParams()
  const userId = params.get('userId') ?? ''
  const goBack = useGoBack('customer_list')
  if (userId === '')
    return (
      <Empty
        icon="people"
        reason={t('detail.none')}
        action={{ text: t('detail.back'), onClick: goBack }}
      />
    )
  return (
    <CustomerPage
      key={userId}
      userId={userId}
      leave={{ text: t('detail.back'), icon: 'arrow-left', run: goBack }}
    />
  )
}
