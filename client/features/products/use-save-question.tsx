/** Terms reach every order that is made from now on, so saving them is asked for once more (screens.md 7.9). */
import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import type { SchemaForm } from '#client/ui/useSchemaForm.ts'
import { useSay } from './use-say.ts'

/** @param needed whether what changed are terms; without it the form is sent as it is @returns the form that asks first, and its question */
export function useSaveQuestion<Values extends FieldValues>(form: SchemaForm<Values>, name: string, needed: () => boolean = () => true): [SchemaForm<Values>, ReactNode] {
  const t = useSay()
  const [isOpen, setOpen] = useState(false)
  const submit = async (): Promise<void> => {
    // faults are marked by sending; nothing is asked about a form that cannot be sent
    if (needed() && (await form.form.trigger())) setOpen(true)
    else await form.submit()
  }
  const question = (
    <ConfirmAction isOpen={isOpen} intent="primary" title={t('ask.terms', { name })} confirmText={t('save')} onConfirm={form.submit} onClose={() => setOpen(false)}>
      <p>{t('newOrdersOnly')}</p>
    </ConfirmAction>
  )
  return [{ ...form, submit }, question]
}
