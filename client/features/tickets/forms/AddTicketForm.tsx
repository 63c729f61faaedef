/** A new ticket, entered for a customer who called or wrote. */
import { useText } from '#client/base/use-text.ts'
import { Callout } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { checkFiles, FilesField, useFormFiles } from '#client/features/files/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ChipField } from '#client/ui/form/ChipField.tsx'
import { AreaField, SelectField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { CONTACT_WAYS } from '#shared/collection/collection-sets.ts'
import type { FileRule, InputOf } from '#shared/kernel/endpoint.ts'
import { isGrievance, TICKET_TYPES } from '#shared/tickets/ticket-sets.ts'
import { addTicket, listTicketTypes } from '#shared/tickets/tickets-api.ts'
import { CallerField } from './CallerField.tsx'
import { OrderField } from './OrderField.tsx'

/** The kind is never preselected. */
type Values = Omit<InputOf<typeof addTicket>, 'type' | 'contactWay'> & {
  type: InputOf<typeof addTicket>['type'] | null
  contactWay: InputOf<typeof addTicket>['contactWay'] | ''
  files: readonly File[]
}

const RULE = addTicket.files as FileRule

export interface AddTicketFormProps {
  /** Given where a customer's page or case is open. */
  customer?: { userId: string; userName: string; orderId: string | null }
  /** The customer somebody found before, looked up again in the field. */
  caller?: string
  onDone: (feedbackId: string) => void
  onClose: () => void
}

export function AddTicketForm({
  customer,
  caller = '',
  onDone,
  onClose,
}: AddTicketFormProps): ReactNode {
  const t = useText('tickets')
  const [callerId, setCallerId] = useState<string | null>(null)
  const { reason: offline } = useConnection()
  const send = useSend(addTicket, { quiet: true })
  const types = useQuery({ ...queryOf(listTicketTypes, {}, { quiet: true }), staleTime: Infinity })
  const form = useSchemaForm<Values>({
    schema: addTicket.input,
    omit: customer ? (customer.orderId === null ? ['userId'] : ['userId', 'orderId']) : [],
    values: {
      userId: customer?.userId ?? '',
      orderId: customer?.orderId ?? '',
      type: null,
      // most of those who are looked up are on the line
      contactWay: customer ? '' : 'phone',
      content: '',
      files: [],
    },
    async onSubmit(values) {
      const files = await checkFiles(form.form.getValues('files'), RULE)
      // the other values were validated by the schema; the files are sent beside them
      const { feedbackId } = await send.mutateAsync({
        ...(values as InputOf<typeof addTicket>),
        ...({ files } as object),
      })
      void showMessage({
        intent: 'success',
        message: t('done.created', { id: feedbackId }),
        key: 'ticket-created',
      })
      onDone(feedbackId)
    },
    onDone: onClose,
  })
  const shown = useFormFiles(form, RULE, addTicket.input)
  const type = useValue({ control: form.form.control, name: 'type' })
  return (
    <FormDialog
      isOpen
      width={560}
      title={t('form.addTitle')}
      form={shown}
      submitText={t('form.create')}
      submitRefused={offline}
      onClose={onClose}
    >
      {customer ? (
        <>
          <p>
            <strong>{customer.userName}</strong>{' '}
            {customer.orderId !== null && <span className="tabular">{customer.orderId}</span>}
          </p>
          {customer.orderId === null && <OrderField userId={customer.userId} />}
        </>
      ) : (
        <>
          <CallerField given={caller} onPerson={setCallerId} />
          {callerId !== null && <OrderField userId={callerId} />}
        </>
      )}
      <ChipField
        name="type"
        label={t('form.type')}
        chips={TICKET_TYPES.map((code) => ({ value: code, label: typeText(code) }))}
        onKeyed={() => form.form.setFocus('content')}
      />
      <SelectField
        name="contactWay"
        label={t('form.contactWay')}
        options={CONTACT_WAYS.map((value) => ({ value, label: t(`way.${value}`) }))}
      />
      <AreaField name="content" label={t('form.content')} rows={5} maxLength={1_000} />
      <FilesField rule={RULE} />
      {type !== null && isGrievance(type) && (
        <Callout intent="warning" icon="pause">
          {t('form.grievance')}
        </Callout>
      )}
    </FormDialog>
  )

  function typeText(code: number): string {
    const known = types.data?.find((one) => one.code === code)
    return known
      ? t('form.typeOption', { type: t(`type.${code}`), queue: t(`queue.${known.queue}`) })
      : t(`type.${code}`)
  }
}
