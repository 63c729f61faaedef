import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import { ApprovalsList } from './ApprovalsList.tsx'

/** Requests of one kind, beside the list they belong to. */
export function ApprovalsDrawer({
  kind,
  onClose,
}: {
  kind: ApprovalKindName
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation('approvals')
  return (
    <SideDrawer isOpen width={560} title={t('title')} onClose={onClose}>
      <ApprovalsList kind={kind} />
    </SideDrawer>
  )
}
