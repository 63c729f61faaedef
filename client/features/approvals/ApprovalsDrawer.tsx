import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { ApprovalsList } from './ApprovalsList.tsx'

/** Requests of one page, beside the list they belong to. */
export function ApprovalsDrawer({
  menu,
  onClose,
}: {
  menu: string
  onClose: () => void
}): ReactNode {
  const t = useText('approvals')
  return (
    <SideDrawer isOpen width={560} title={t('title')} onClose={onClose}>
      <ApprovalsList menu={menu} />
    </SideDrawer>
  )
}
