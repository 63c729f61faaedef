/** Forms of the holder: escalate, ask the customer for data. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { call } from '#client/session/call.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { AreaField, ManyField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { askCustomer, DATA_ITEMS, escalateReview } from '#shared/review/review-api.ts'
import type { Desk } from './use-desk.ts'

interface DeskFormProps {
  desk: Desk
  reviewId: string
  onClose: () => void
  onDone: () => void
}

export function EscalateForm({ desk, reviewId, onClose, onDone }: DeskFormProps): ReactNode {
  const t = useText('review')
  const { version, token } = desk.known
  const send = async (reason: string) => {
    try {
      desk.take(await call(escalateReview, { reviewId, version, token, reason }))
    } catch (error) {
      desk.takeRefusal(error)
      throw error
    }
    onDone()
  }
  return (
    <ConfirmAction
      isOpen
      title={t('action.escalate')}
      reason={{ min: 4, max: 200, label: t('form.reason') }}
      confirmText={t('action.escalate')}
      intent="warning"
      onConfirm={send}
      onClose={onClose}
    >
      <p>{t('ask.escalate')}</p>
    </ConfirmAction>
  )
}

interface RequestValues {
  reviewId: string
  version: number
  token: number
  items: (typeof DATA_ITEMS)[number][]
  message: string
}
const OMIT = ['reviewId', 'version', 'token']

export function AskForm({ desk, reviewId, onClose, onDone }: DeskFormProps): ReactNode {
  const t = useText('review')
  const { version, token } = desk.known
  const form = useSchemaForm<RequestValues>({
    schema: askCustomer.input,
    omit: OMIT,
    values: { reviewId, version, token, items: [], message: '' },
    onSubmit: async (input) => {
      try {
        desk.take(await call(askCustomer, { ...input, version, token }, { quiet: true }))
      } catch (error) {
        desk.takeRefusal(error)
        throw error
      }
    },
    onDone: () => {
      onClose()
      onDone()
    },
  })
  return (
    <FormDialog
      isOpen
      title={t('action.ask')}
      form={form}
      submitText={t('ask.send')}
      submitRefused={desk.place === 'deciding' ? desk.offline : t('refused.notYours')}
      onClose={onClose}
    >
      <ManyField
        name="items"
        label={t('ask.items')}
        options={DATA_ITEMS.map((item) => ({ value: item, label: t(`item.${item}`) }))}
      />
      <AreaField
        name="message"
        label={t('ask.message')}
        maxLength={500}
        help={t('ask.messageHelp')}
      />
    </FormDialog>
  )
}
