import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { couponChoices } from '#client/features/coupons/public.tsx'
import { CallHint } from '#client/features/voice-calls/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { AreaField, SelectField, TimeField } from '#client/ui/form/fields.tsx'
import { FormBody } from '#client/ui/form/FormBody.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { couponOptions } from '#shared/coupons/coupons-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { followTask } from '#shared/telemarketing/tele-api.ts'
import {
  CONTACT_WAYS,
  FOLLOW_RESULTS,
  NEEDS_NEXT,
  NEEDS_REMARK,
} from '#shared/telemarketing/tele-sets.ts'
import { FOLLOW_RESULT_OF } from '#shared/voice-calls/voice-call-sets.ts'
import type { TaskDetail, TeleRow } from './tele-types.ts'

/** No result is preselected. */
type Values = Omit<InputOf<typeof followTask>, 'result'> & { result: number | null }

const DAY_MS = 86_400_000
const DIGITS_WITHIN_MS = 1_500
const QUARTER_MS = 15 * 60_000
const OMIT = ['taskId', 'version', 'token', 'callId'] as const

export function FollowForm({
  detail: { task, openCall },
  onDirty,
  onDone,
  onCancel,
}: {
  detail: TaskDetail
  onDirty: (isDirty: boolean) => void
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
    alsoRequired: (values) => neededBy(values.result),
    check: ({ nextFollowTime }) =>
      Date.parse(nextFollowTime ?? '') <= uiNow()
        ? { nextFollowTime: { key: 'telemarketing:form.future', params: {} } }
        : null,
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
  const typeCode = useTypedCode((code) =>
    setValue('result', code, { shouldDirty: true, shouldTouch: true, shouldValidate: true }),
  )
  const result = useWatch({ control: form.form.control, name: 'result' })
  useNextTime(form.form, result)
  const endCause = openCall?.exchange?.endCause ?? null
  const hinted = endCause === null ? undefined : FOLLOW_RESULT_OF[endCause]
  const { isDirty } = form
  useEffect(() => {
    onDirty(isDirty)
    return () => onDirty(false)
  }, [isDirty, onDirty])
  return (
    <FormBody
      form={form}
      submitText={t('action.follow')}
      submitRefused={offline}
      takesFocus={false}
      onCancel={onCancel}
    >
      <div onKeyDown={typeCode}>
        <SelectField
          name="result"
          label={t('form.result')}
          numeric
          options={FOLLOW_RESULTS.map((code) => ({
            value: String(code),
            label: `${code} · ${t(`result.${code}`)}`,
          }))}
        />
        {hinted !== undefined && result === null && endCause !== null && (
          <CallHint
            cause={endCause}
            result={t(`result.${hinted}`)}
            onTake={() => setValue('result', hinted, { shouldDirty: true, shouldValidate: true })}
          />
        )}
      </div>
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

function neededBy(result: number | null): ('nextFollowTime' | 'remark')[] {
  return [
    ...(result !== null && NEEDS_NEXT.includes(result) ? (['nextFollowTime'] as const) : []),
    ...(result !== null && NEEDS_REMARK.includes(result) ? (['remark'] as const) : []),
  ]
}

/** A result that needs a next follow-up suggests tomorrow at this time, to the quarter of an hour. */
function useNextTime({ getValues, setValue }: UseFormReturn<Values>, result: number | null): void {
  const suggested = useRef('')
  useEffect(() => {
    const time = getValues('nextFollowTime') ?? ''
    if (neededBy(result).includes('nextFollowTime')) {
      if (time !== '') return
      suggested.current = new Date(
        Math.ceil((uiNow() + DAY_MS) / QUARTER_MS) * QUARTER_MS,
      ).toISOString()
      setValue('nextFollowTime', suggested.current, { shouldDirty: true })
    } else if (time !== '' && time === suggested.current) setValue('nextFollowTime', '')
  }, [result, getValues, setValue])
}

/**
 * A result by its two digits. The browser's own search in a list takes a repeated digit for *the
 * next one that begins so*: it found 21 for 22.
 */
function useTypedCode(onCode: (code: number) => void): (event: KeyboardEvent) => void {
  const typed = useRef({ digit: '', at: 0 })
  return (event) => {
    if (!/^\d$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    const { digit, at } = typed.current
    const text = event.timeStamp - at < DIGITS_WITHIN_MS ? digit + event.key : event.key
    const code = FOLLOW_RESULTS.find((known) => String(known) === text)
    if (code !== undefined) onCode(code)
    typed.current = { digit: text.length === 2 ? '' : text, at: event.timeStamp }
  }
}
