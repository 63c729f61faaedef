import { showToast } from './toasts.ts'

/** Copies and says so; `t` is the translate function of any namespace. */
export async function copyText(text: string, t: (key: 'ui:copy.done' | 'ui:copy.failed') => string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ intent: 'success', message: t('ui:copy.done'), key: 'copy' })
  } catch {
    showToast({ intent: 'danger', message: t('ui:copy.failed'), key: 'copy' })
  }
}
