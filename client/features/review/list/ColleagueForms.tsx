/** Forms that name a colleague: assign, hand over. Who is full or away is shown before he is chosen. */
import type { ReactNode } from 'react'
import { call } from '#client/session/call.ts'
import { LeftRows } from '#client/shell/LeftRows.tsx'
import { AreaField, type Option, SelectField } from '#client/ui/fields.tsx'
import { FormDialog } from '#client/ui/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/useSchemaForm.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { assignReviews, requestHandover } from '#shared/review/review-api.ts'
import { useSay } from '../use-say.ts'
import type { Colleague } from '../review-types.ts'

interface ColleagueFormProps {
  reviewIds: readonly string[]
  colleagues: readonly Colleague[]
  /** Chosen ones that do not take it. */
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
  const t = useSay()
  const options = useColleagueOptions(colleagues)
  const form = useSchemaForm<{ reviewIds: string[]; reviewerId: string }>({
    schema: assignReviews.input,
    omit: OMIT,
    values: { reviewIds: [...reviewIds], reviewerId: '' },
    onDone: onClose,
    onSubmit: (input) =>
      onSend((ids) => call(assignReviews, { ...input, reviewIds: ids }, { quiet: true })),
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
  const t = useSay()
  const options = useColleagueOptions(colleagues)
  const form = useSchemaForm<{ reviewIds: string[]; toUserId: string; reason: string }>({
    schema: requestHandover.input,
    omit: OMIT,
    values: { reviewIds: [...reviewIds], toUserId: '', reason: '' },
    onDone: onClose,
    onSubmit: (input) =>
      onSend((ids) => call(requestHandover, { ...input, reviewIds: ids }, { quiet: true })),
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
  const t = useSay()
  return colleagues.map(({ userId, userName, held, capacity, online }) => ({
    value: userId,
    label: t(online ? 'form.colleague' : 'form.colleagueAway', { name: userName, held, capacity }),
    disabled: held >= capacity,
  }))
}
