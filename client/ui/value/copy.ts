import { getI18n } from 'react-i18next'
import { showToast } from '#client/ui/feedback/toasts.ts'

/** Copies to the clipboard and shows a confirmation. */
export async function copyText(text: string): Promise<void> {
  const { t } = getI18n()
  try {
    await navigator.clipboard.writeText(text)
    showToast({ intent: 'success', message: t('ui:copy.done'), key: 'copy' })
  } catch {
    showToast({ intent: 'danger', message: t('ui:copy.failed'), key: 'copy' })
  }
}
