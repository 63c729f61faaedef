import { useText } from '#client/base/use-text.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'

/** Confirmation before a view with unsaved input closes. */
export function LeaveQuestion({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const t = useText('shell')
  return (
    <ConfirmAction
      isOpen
      title={t('leave.title')}
      confirmText={t('leave.confirm')}
      onClose={onStay}
      onConfirm={async () => onLeave()}
    >
      <p>{t('leave.text')}</p>
    </ConfirmAction>
  )
}
