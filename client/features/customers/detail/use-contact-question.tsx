/** Nobody is called at the old number once a contact is corrected, so what changes is read once more beside what was there (screens.md 2.2). */
import type { ReactNode } from 'react'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import type { SchemaForm } from '#client/ui/useSchemaForm.ts'
import { useSubmitQuestion } from '#client/ui/useSubmitQuestion.ts'
import type { CustomerDetail, editContact } from '#shared/customers/customer-detail-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { slotText } from '../slot-text.ts'
import { type Say, useSay } from '../use-say.ts'

type Values = InputOf<typeof editContact>
type Basic = CustomerDetail['basic']

/** @returns the form that asks first, and its question */
export function useContactQuestion(
  form: SchemaForm<Values>,
  name: string,
  before: Basic,
): [SchemaForm<Values>, ReactNode] {
  const t = useSay()
  const [shown, asking] = useSubmitQuestion(form)
  const question = (
    <ConfirmAction
      {...asking}
      intent="primary"
      title={t('ask.contact', { name })}
      confirmText={t('edit.save')}
    >
      <table className="customer-table customer-changes">
        <thead>
          <tr>
            <th scope="col">{t('edit.field')}</th>
            <th scope="col">{t('edit.before')}</th>
            <th scope="col">{t('edit.after')}</th>
          </tr>
        </thead>
        <tbody>
          {asking.isOpen &&
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

/** Label, what was there as far as it is shown, what is there then. An address is one thing with its city and PIN code. */
function changesOf(
  { phone, email, residentialAddress, city, postcode, noContact = [], dnd }: Values,
  before: Basic,
  t: Say,
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
