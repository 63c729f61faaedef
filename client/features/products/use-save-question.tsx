/** Terms apply to every later order, so saving them is confirmed. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import type { SchemaForm } from '#client/ui/form/use-schema-form.ts'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'

/**
 * @param areTerms whether the changed fields are terms
 * @returns the submit function that confirms first, and its dialog
 */
export function useSaveQuestion<Values extends FieldValues>(
  form: SchemaForm<Values>,
  name: string,
  areTerms?: () => boolean,
): [SchemaForm<Values>, ReactNode] {
  const t = useText('products')
  const [shown, confirming] = useSubmitQuestion(form, areTerms)
  const question = (
    <ConfirmAction
      {...confirming}
      intent="primary"
      title={t('ask.terms', { name })}
      confirmText={t('save')}
    >
      <p>{t('newOrdersOnly')}</p>
    </ConfirmAction>
  )
  return [shown, question]
}
