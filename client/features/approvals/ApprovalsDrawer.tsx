import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import { ApprovalsList } from './ApprovalsList.tsx'

/** Requests of one kind or of one page, beside the list they belong to. */
export function ApprovalsDrawer({
  kind,
  menu,
  onClose,
}: {
  kind?: ApprovalKindName | undefined
  menu?: string | undefined
  onClose: () => void
}): ReactNode {
  const t = useText('approvals')
  return (
    <SideDrawer isOpen width={560} title={t('title')} onClose={onClose}>
      <ApprovalsList kind={kind} menu={menu} />
    </SideDrawer>
  )
}
