import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useWatch } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { couponChoices } from '#client/features/coupons/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { AreaField, SelectField, TimeField } from '#client/ui/form/fields.tsx'
import { FormBody } from '#client/ui/form/FormBody.tsx'
import { alsoRequired, useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { couponOptions } from '#shared/coupons/coupons-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { followTask } from '#shared/telemarketing/tele-api.ts'
import {
  CONTACT_WAYS,
  FOLLOW_RESULTS,
  NEEDS_NEXT,
  NEEDS_REMARK,
} from '#shared/telemarketing/tele-sets.ts'
import type { TaskDetail, TeleRow } from './tele-types.ts'

/** No result is preselected. */
type Values = Omit<InputOf<typeof followTask>, 'result'> & { result: number | null }

const OMIT = ['taskId', 'version', 'token', 'callId'] as const

export function FollowForm({
  detail: { task, openCall },
  onDone,
  onCancel,
}: {
  detail: TaskDetail
  onDone: (row: TeleRow) => void
  onCancel: () => void
}): ReactNode {
  const t = useText('telemarketing', 'coupons')
  const mayGive = usePermission([`${task.segment}:coupon`])
  const options = useQuery({ ...queryOf(couponOptions, {}, { quiet: true }), enabled: mayGive })
  const coupons = options.data?.coupons ?? []
  const { reason: offline } = useConnection()
  const send = useSend(followTask, { quiet: true })
  const { taskId, version, token } = task
  const form = useSchemaForm<Values>({
    schema: followTask.input,
    omit: OMIT,
    values: {
      taskId,
      version,
      token,
      result: null,
      contactWay: openCall?.way ?? 'phone',
      nextFollowTime: '',
      remark: '',
      couponId: '',
      ...(openCall && { callId: openCall.callId }),
    },
    async onSubmit(values) {
      // the schema refused a missing result
      const row = await send.mutateAsync({
        ...(values as InputOf<typeof followTask>),
        version,
        token,
        ...(openCall && { callId: openCall.callId }),
      })
      void showMessage({ intent: 'success', message: t('done.followed'), key: 'tele-follow' })
      onDone(row)
    },
  })
  const { setValue } = form.form
  const begunBy = openCall?.way
  useEffect(() => {
    if (begunBy !== undefined) setValue('contactWay', begunBy)
  }, [begunBy, setValue])
  const result = useWatch({ control: form.form.control, name: 'result' })
  const needed = [
    ...(result !== null && NEEDS_NEXT.includes(result) ? (['nextFollowTime'] as const) : []),
    ...(result !== null && NEEDS_REMARK.includes(result) ? (['remark'] as const) : []),
  ]
  return (
    <FormBody
      form={alsoRequired(form, needed)}
      submitText={t('action.follow')}
      submitRefused={offline}
      onCancel={onCancel}
    >
      <SelectField
        name="result"
        label={t('form.result')}
        numeric
        options={FOLLOW_RESULTS.map((code) => ({
          value: String(code),
          label: `${code} · ${t(`result.${code}`)}`,
        }))}
      />
      <SelectField
        name="contactWay"
        label={t('form.contactWay')}
        help={t('form.toNumber', { phone: task.phone })}
        options={CONTACT_WAYS.map((value) => ({ value, label: t(`way.${value}`) }))}
      />
      <TimeField name="nextFollowTime" label={t('form.nextFollowTime')} />
      {coupons.length > 0 && (
        <SelectField
          name="couponId"
          label={t('coupons:col.couponName')}
          placeholder={t('coupons:use.none')}
          options={couponChoices(coupons, t)}
        />
      )}
      <AreaField name="remark" label={t('form.remark')} rows={3} maxLength={500} />
    </FormBody>
  )
}
