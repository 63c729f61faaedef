/** Forms that select a colleague: assign, hand over. Full or absent colleagues are marked. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useSend } from '#client/session/query.ts'
import { LeftRows } from '#client/screen/LeftRows.tsx'
import { AreaField, type Option, SelectField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { assignReviews } from '#shared/review/review-api.ts'
import { requestHandover } from '#shared/review/review-handover-api.ts'
import type { Colleague } from '../review-types.ts'

interface ColleagueFormProps {
  reviewIds: readonly string[]
  colleagues: readonly Colleague[]
  /** Selected rows the action does not apply to. */
  left: number | undefined
  onSend: (send: (reviewIds: string[]) => Promise<BulkResult>) => Promise<void>
  onClose: () => void
}

const OMIT = ['reviewIds']

export function AssignForm({
  reviewIds,
  left,
  colleagues,
  onSend,
  onClose,
}: ColleagueFormProps): ReactNode {
  const t = useText('review')
  const options = useColleagueOptions(colleagues)
  const send = useSend(assignReviews, { quiet: true })
  const form = useSchemaForm<{ reviewIds: string[]; reviewerId: string }>({
    schema: assignReviews.input,
    omit: OMIT,
    values: { reviewIds: [...reviewIds], reviewerId: '' },
    onDone: onClose,
    onSubmit: (input) => onSend((ids) => send.mutateAsync({ ...input, reviewIds: ids })),
  })
  return (
    <FormDialog
      isOpen
      title={t('ask.assignTitle', { count: reviewIds.length })}
      form={form}
      submitText={t('action.assign')}
      onClose={onClose}
    >
      <LeftRows count={left} />
      <SelectField name="reviewerId" label={t('form.reviewer')} options={options} />
    </FormDialog>
  )
}

export function HandoverForm({
  reviewIds,
  left,
  colleagues,
  onSend,
  onClose,
}: ColleagueFormProps): ReactNode {
  const t = useText('review')
  const options = useColleagueOptions(colleagues)
  const send = useSend(requestHandover, { quiet: true })
  const form = useSchemaForm<{ reviewIds: string[]; toUserId: string; reason: string }>({
    schema: requestHandover.input,
    omit: OMIT,
    values: { reviewIds: [...reviewIds], toUserId: '', reason: '' },
    onDone: onClose,
    onSubmit: (input) => onSend((ids) => send.mutateAsync({ ...input, reviewIds: ids })),
  })
  return (
    <FormDialog
      isOpen
      title={t('ask.handoverTitle', { count: reviewIds.length })}
      form={form}
      submitText={t('action.handover')}
      onClose={onClose}
    >
      <LeftRows count={left} />
      <SelectField
        name="toUserId"
        label={t('form.reviewer')}
        options={options}
        help={t('form.handoverHelp')}
      />
      <AreaField name="reason" label={t('form.reason')} maxLength={200} />
    </FormDialog>
  )
}

function useColleagueOptions(colleagues: readonly Colleague[]): Option[] {
  const t = useText('review')
  return colleagues.map(({ userId, userName, held, capacity, online }) => ({
    value: userId,
    label: t(online ? 'form.colleague' : 'form.colleagueAway', { name: userName, held, capacity }),
    disabled: held >= capacity,
  }))
}
