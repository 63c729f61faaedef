/**
 * Confirms a contact correction. After a correction the old number is never called again, so the
 * dialog shows the new values beside the old ones.
 */
import type { ReactNode } from 'react'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import type { SchemaForm } from '#client/ui/form/use-schema-form.ts'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import type { CustomerDetail, editContact } from '#shared/customers/customer-detail-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { slotText } from '../slot-text.ts'
import type { Text } from '#client/base/use-text.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'

type Values = InputOf<typeof editContact>
type Basic = CustomerDetail['basic']

/** @returns the submit function that confirms first, and its dialog */
export function useContactQuestion(
  form: SchemaForm<Values>,
  name: string,
  before: Basic,
): [SchemaForm<Values>, ReactNode] {
  const t = useCustomerText()
  const [shown, confirming] = useSubmitQuestion(form)
  const question = (
    <ConfirmAction
      {...confirming}
      intent="primary"
      title={t('ask.contact', { name })}
      confirmText={t('edit.save')}
    >
      <table className="plain-table customer-changes">
        <thead>
          <tr>
            <th scope="col">{t('edit.field')}</th>
            <th scope="col">{t('edit.before')}</th>
            <th scope="col">{t('edit.after')}</th>
          </tr>
        </thead>
        <tbody>
          {confirming.isOpen &&
            changesOf(form.form.getValues(), before, t).map(([label, was, is]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{was || '—'}</td>
                <td>{is || '—'}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </ConfirmAction>
  )
  return [shown, question]
}

/**
 * Label, old value as far as it is shown, new value. An address is one item with city and PIN code.
 */
function changesOf(
  { phone, email, residentialAddress, city, postcode, noContact = [], dnd }: Values,
  before: Basic,
  t: Text,
): (readonly [string, string | null | undefined, string])[] {
  const slots = (all: NonNullable<Basic>['noContact']) =>
    all.map((slot) => slotText(slot, t)).join('; ')
  const [had, has] = [slots(before?.noContact ?? []), slots(noContact)]
  const place = [residentialAddress, city, postcode].filter(Boolean).join(', ')
  return [
    ...(phone ? [[t('col.phone'), before?.phone, phone] as const] : []),
    ...(email ? [[t('edit.email'), before?.email, email] as const] : []),
    ...(place ? [[t('edit.address'), before?.residentialAddress, place] as const] : []),
    ...(had === has ? [] : [[t('edit.noContact'), had, has] as const]),
    ...(dnd === (before?.dnd ?? false)
      ? []
      : [
          [
            t('field.dnd'),
            t(before?.dnd ? 'dnd.on' : 'dnd.off'),
            t(dnd ? 'dnd.on' : 'dnd.off'),
          ] as const,
        ]),
  ]
}
