/** A note on a case: no contact, possible at any hour. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { AreaField, SwitchField } from '#client/ui/form/fields.tsx'
import { FormBody } from '#client/ui/form/FormBody.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { noteCase } from '#shared/collection/cases-api.ts'
import { harshWordsIn } from '#shared/collection/remark-linter.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { CaseDetail } from './case-types.ts'

const OMIT = ['caseId', 'token'] as const

export function NoteForm({
  detail,
  refused,
  onSaved,
}: {
  detail: CaseDetail
  /** Why nothing can be noted now, as text; null = possible. */
  refused: string | null
  onSaved: () => void
}): ReactNode {
  const t = useText('collection')
  const { reason: offline } = useConnection()
  const send = useSend(noteCase, { quiet: true })
  const { caseId, token } = detail.case
  const form = useSchemaForm<InputOf<typeof noteCase>>({
    schema: noteCase.input,
    omit: OMIT,
    values: { caseId, token, remark: '', asSaid: false },
    check: (values) =>
      values.asSaid !== true && harshWordsIn(values.remark, detail.harshWords).length > 0
        ? { remark: { key: 'collection:desk.fault.harsh', params: {} } }
        : null,
    async onSubmit(values) {
      await send.mutateAsync({ ...values, caseId, token, remark: values.remark.trim() })
      void showMessage({ intent: 'success', message: t('desk.noteSaved'), key: `note:${caseId}` })
      onSaved()
    },
  })
  const remark = useValue({ control: form.form.control, name: 'remark' })
  return (
    <FormBody form={form} submitText={t('desk.saveNote')} submitRefused={offline ?? refused}>
      <AreaField name="remark" label={t('desk.note')} rows={3} maxLength={500} />
      {harshWordsIn(remark ?? '', detail.harshWords).length > 0 && (
        <SwitchField name="asSaid" label={t('desk.form.asSaid')} text={t('desk.form.asSaidText')} />
      )}
    </FormBody>
  )
}
