import { useTranslation } from 'react-i18next'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'

/** Asks before a view with unsaved input closes. */
export function LeaveQuestion({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const { t } = useTranslation('shell')
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
