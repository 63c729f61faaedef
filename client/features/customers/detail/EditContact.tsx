/**
 * Corrects how and when a customer may be contacted. Masked fields start empty, and empty means
 * unchanged; the no-contact times are shown in full.
 */
import { type ReactNode, useState } from 'react'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { freshRowOf } from '#client/ui/form/conflict.ts'
import { AreaField, SwitchField, TextField } from '#client/ui/form/fields.tsx'
import type { Unfinished } from '#client/ui/form/form.ts'
import type { Faults } from '#client/ui/form/fault.ts'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { type CustomerDetail, editContact } from '#shared/customers/customer-detail-api.ts'
import { isSlotForward, type NoContactSlot } from '#shared/customers/no-contact.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { slotText } from '../slot-text.ts'
import { NoContactField } from './NoContactField.tsx'
import { useContactQuestion } from './use-contact-question.tsx'

type Values = InputOf<typeof editContact>
const OMIT = ['userId', 'version'] as const
const FIELDS = ['phone', 'email', 'residentialAddress', 'city', 'postcode'] as const

export function EditContact({
  detail,
  onDone,
  onClose,
}: {
  detail: CustomerDetail
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useCustomerText()
  // the values at opening: a later change by someone else must not look like an edit
  const [{ userId, name, version, basic }] = useState(detail)
  const send = useSend(editContact, { quiet: true })
  /** The stored no-contact times; a colleague may have changed them meanwhile. */
  const [stored, setStored] = useState<Times>({
    noContact: basic?.noContact ?? [],
    dnd: basic?.dnd ?? false,
  })
  const { form, frame } = useSaveForm<Values>({
    schema: editContact.input,
    omit: OMIT,
    values: {
      userId,
      version,
      phone: '',
      email: '',
      residentialAddress: '',
      city: '',
      postcode: '',
      ...stored,
      reason: '',
    },
    check: (values) => ({
      ...atLeastOne(values, stored),
      ...checkPlace(values),
      ...checkTimes(values),
    }),
    onSubmit: (values) =>
      send.mutateAsync(changedOnly(values, stored)).catch((error: unknown) => {
        const row = freshRowOf(error) as Times | null
        if (row) setStored({ noContact: row.noContact, dnd: row.dnd })
        throw error
      }),
    saved: t('edit.done'),
    onDone,
    onClose,
  })
  const [shown, question] = useContactQuestion(form, name, basic && { ...basic, ...stored })
  return (
    <FormDialog
      {...frame}
      title={t('edit.title', { name })}
      form={shown}
      submitText={t('edit.save')}
    >
      <ConflictPane
        form={form}
        fields={[
          { name: 'phone', label: t('col.phone'), isMasked: true },
          { name: 'email', label: t('edit.email'), isMasked: true },
          {
            name: 'residentialAddress',
            together: ['city', 'postcode'],
            label: t('edit.address'),
            isMasked: true,
            text: (address, { city, postcode }) =>
              [address, city, postcode].filter(Boolean).join(', '),
          },
          {
            name: 'noContact',
            label: t('edit.noContact'),
            text: (slots) =>
              (slots as NoContactSlot[]).map((slot) => slotText(slot, t)).join('; ') || '—',
          },
          { name: 'dnd', label: t('field.dnd'), text: (on) => t(on ? 'dnd.on' : 'dnd.off') },
        ]}
      />
      {question}
      <p className="customer-muted">{t('edit.keep')}</p>
      <TextField name="phone" label={t('col.phone')} maxLength={10} />
      <TextField name="email" label={t('edit.email')} maxLength={120} />
      <AreaField name="residentialAddress" label={t('edit.address')} rows={2} maxLength={300} />
      <TextField name="city" label={t('edit.city')} maxLength={60} />
      <TextField name="postcode" label={t('edit.postcode')} maxLength={6} />
      {basic && <NoContactField name="noContact" />}
      {basic && <SwitchField name="dnd" label={t('field.dnd')} text={t('edit.dndText')} />}
      <AreaField name="reason" label={t('edit.reason')} rows={2} maxLength={200} />
    </FormDialog>
  )
}

interface Times {
  noContact: NoContactSlot[]
  dnd: boolean
}

function isSame(values: Unfinished<Values>, now: Times): { noContact: boolean; dnd: boolean } {
  return {
    noContact: JSON.stringify(values.noContact) === JSON.stringify(now.noContact),
    dnd: values.dnd === now.dnd,
  }
}

/** The fields to send; the log names exactly these as corrected. */
function changedOnly({ noContact, dnd, ...values }: Values, now: Times): Values {
  const same = isSame({ ...values, noContact, dnd }, now)
  return { ...values, ...(same.noContact ? {} : { noContact }), ...(same.dnd ? {} : { dnd }) }
}

/** Said once there is a reason: until then the form may just have been opened. */
function atLeastOne(values: Unfinished<Values>, now: Times): Faults {
  const same = isSame(values, now)
  const isChanged = !same.noContact || !same.dnd || FIELDS.some((field) => values[field])
  return isChanged || !values.reason.trim()
    ? {}
    : { phone: { key: 'customers:edit.nothing', params: {} } }
}

/** City and PIN code are the shown part of an address, so they change together with it. */
function checkPlace({ residentialAddress, ...place }: Unfinished<Values>): Faults {
  const missing = residentialAddress
    ? (['city', 'postcode'] as const).filter((name) => !place[name])
    : []
  return Object.fromEntries(
    missing.map((name) => [name, { key: 'customers:fault.placeOfAddress', params: {} }]),
  )
}

function checkTimes({ noContact = [] }: Unfinished<Values>): Faults {
  return noContact.every(isSlotForward)
    ? {}
    : { noContact: { key: 'customers:fault.slotOrder', params: {} } }
}
