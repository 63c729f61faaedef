/** Terms reach every order that is made from now on, so saving them is asked for once more (screens.md 7.9). */
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import type { SchemaForm } from '#client/ui/useSchemaForm.ts'
import { useSubmitQuestion } from '#client/ui/useSubmitQuestion.ts'
import { useSay } from './use-say.ts'

/** @param areTerms whether what changed are terms @returns the form that asks first, and its question */
export function useSaveQuestion<Values extends FieldValues>(
  form: SchemaForm<Values>,
  name: string,
  areTerms?: () => boolean,
): [SchemaForm<Values>, ReactNode] {
  const t = useSay()
  const [shown, asking] = useSubmitQuestion(form, areTerms)
  const question = (
    <ConfirmAction
      {...asking}
      intent="primary"
      title={t('ask.terms', { name })}
      confirmText={t('save')}
    >
      <p>{t('newOrdersOnly')}</p>
    </ConfirmAction>
  )
  return [shown, question]
}
