/** A contact and its result; shows what the server would refuse before it is sent. */
import { useText } from '#client/base/use-text.ts'
import { Button, Callout } from '@blueprintjs/core'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { FormProvider, useWatch as useValue } from 'react-hook-form'
import { CallHint } from '#client/features/voice-calls/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { useSend } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import {
  AreaField,
  MoneyField,
  SelectField,
  SwitchField,
  TimeField,
} from '#client/ui/form/fields.tsx'
import { ChipField } from '#client/ui/form/ChipField.tsx'
import { RequiredFields } from '#client/ui/form/FormBody.tsx'
import { focusField } from '#client/ui/form/focus-field.ts'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { followCase } from '#shared/collection/cases-api.ts'
import {
  CONTACT_WAYS,
  type ContactDirection,
  isReached,
  resultsOf,
  WILLINGNESS,
} from '#shared/collection/collection-sets.ts'
import { harshWordsIn } from '#shared/collection/remark-linter.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { addDays, istAt, istDay } from '#shared/kernel/time.ts'
import { CONTACT_RESULT_OF, type EndCause } from '#shared/voice-calls/voice-call-sets.ts'
import type { CaseDetail, CaseRow } from './case-types.ts'
import { nextContact, offeredPromise, proposedContact } from './case-words.ts'
import { dueNow } from './due-now.ts'
import { dropFollow, keepFollow, readFollow, sweepFollows } from './follow-draft.ts'
import { reaches, isWilling, faultsOf, neededBy, type Values } from './follow-faults.ts'

export interface OpenCall {
  callId: string
  way: 'phone' | 'whatsapp'
  contactId: string
}

export interface FollowFormProps {
  detail: CaseDetail
  direction: ContactDirection
  contacts: readonly { contactId: string; label: string }[]
  call: OpenCall | null
  /** End of the call as reported by the exchange. */
  endCause: EndCause | null
  /** Why nothing can be recorded now, as text; null = recording is possible. */
  refused: string | null
  formRef: RefObject<HTMLFormElement | null>
  onSaved: (row: CaseRow, next: boolean) => void
  onConflict: (row: CaseRow) => void
}

const OMIT = ['caseId', 'version', 'token', 'callId'] as const

export function FollowForm({
  detail,
  direction,
  contacts,
  call,
  endCause,
  refused,
  formRef,
  onSaved,
  onConflict,
}: FollowFormProps): ReactNode {
  const t = useText('collection')
  const { reason: offline } = useConnection()
  const send = useSend(followCase, { quiet: true })
  const { user } = useSession()
  const row = detail.case
  const goesOn = useRef(false)
  const isSaved = useRef(false)
  const [restored] = useState(() => readFollow(localStorage, user.userId, row.caseId, Date.now()))
  const form = useSchemaForm<Values>({
    schema: followCase.input,
    omit: OMIT,
    values: {
      caseId: row.caseId,
      version: row.version,
      token: row.token,
      contactWay: 'phone',
      contactId: detail.customer.userId,
      contactResult: null,
      willingness: null,
      commitmentTime: null,
      nextFollowTime: nextContact(serverNow(), detail.gateFacts),
      ptpTime: null,
      ptpAmount: null,
      remark: '',
      asSaid: false,
    },
    alsoRequired: neededBy,
    check: (values) =>
      faultsOf(values, row.outstanding, detail.limits.ptpMaxDays, detail.harshWords),
    async onSubmit(values) {
      const reached = reaches(values)
      const promise = reached && values.ptpTime != null && values.ptpAmount != null
      const answer = await send.mutateAsync({
        ...values,
        direction,
        caseId: row.caseId,
        version: row.version,
        token: row.token,
        contactResult: values.contactResult as InputOf<typeof followCase>['contactResult'],
        willingness: reached ? (values.willingness ?? null) : null,
        commitmentTime: reached ? (values.commitmentTime ?? values.ptpTime ?? null) : null,
        ptpTime: promise ? values.ptpTime : null,
        ptpAmount: promise ? values.ptpAmount : null,
        remark: values.remark.trim(),
        asSaid: values.asSaid === true && harshWordsIn(values.remark, detail.harshWords).length > 0,
        callId: direction === 'out' ? (call?.callId ?? null) : null,
      })
      isSaved.current = true
      dropFollow(localStorage, user.userId, row.caseId)
      onSaved(answer.case, goesOn.current)
    },
  })
  const { form: fields } = form
  const values = useValue({ control: fields.control }) as Values
  const { contactWay, contactResult, willingness, commitmentTime, ptpTime, ptpAmount, remark } =
    values
  useEffect(() => {
    sweepFollows(localStorage, Date.now())
    // applied over the blank form, so that it counts as unsaved
    for (const [name, value] of Object.entries(restored ?? {}))
      fields.setValue(name as keyof Values, value as never, { shouldDirty: true })
  }, [restored, fields])
  useEffect(() => {
    if (isSaved.current) return
    keepFollow(
      localStorage,
      user.userId,
      row.caseId,
      {
        contactWay,
        contactResult,
        willingness: willingness ?? null,
        commitmentTime: commitmentTime ?? null,
        ptpTime: ptpTime ?? null,
        ptpAmount: ptpAmount ?? null,
        remark: remark ?? '',
      },
      Date.now(),
    )
  }, [
    user.userId,
    row.caseId,
    contactWay,
    contactResult,
    willingness,
    commitmentTime,
    ptpTime,
    ptpAmount,
    remark,
  ])
  const harsh = harshWordsIn(remark ?? '', detail.harshWords)
  const reached = reaches(values)
  useEffect(() => {
    // what the other way cannot bring is not sent
    if (direction === 'in' && contactResult !== null && !isReached(contactResult))
      fields.setValue('contactResult', null)
  }, [direction, contactResult, fields])
  const mayPromise = reached && isWilling(values) && row.state === 'allocated'
  const { callFrom, callTo } = detail.gateFacts
  const promised = mayPromise ? (ptpTime ?? null) : null
  const agreed = reached ? (commitmentTime ?? null) : null
  useEffect(() => {
    // the collector has said when
    if (fields.getFieldState('nextFollowTime').isDirty) return
    const hours = { callFrom, callTo }
    const time = proposedContact(serverNow(), { promised, agreed }, hours)
    fields.setValue('nextFollowTime', time)
  }, [promised, agreed, callFrom, callTo, fields])
  useEffect(() => {
    if (call === null) return
    fields.setValue('contactWay', call.way)
    fields.setValue('contactId', call.contactId)
  }, [call, fields])
  useEffect(() => {
    const fresh = (form.refusedBy as { data?: { caseId?: string; version?: number } } | null)?.data
    if (fresh?.caseId === row.caseId && fresh.version !== undefined) onConflict(fresh as CaseRow)
  }, [form.refusedBy, row.caseId, onConflict])

  const submit = (next: boolean) => {
    goesOn.current = next
    return form.submit()
  }
  function keys(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing)
      return
    event.preventDefault()
    if (refused === null && offline === null) void submit(true)
  }
  const why = offline ?? refused
  const needsCall =
    direction === 'out' &&
    values.contactWay === 'phone' &&
    (values.contactResult === 1 || values.contactResult === 2) &&
    call?.way !== 'phone'
  const blocked = why ?? (needsCall ? t('desk.callFirst') : null)
  const today = istDay(serverNow())
  const shown = resultsOf(contactWay, direction)
  // a result kept from before stays visible
  const results =
    contactResult === null || shown.includes(contactResult) ? shown : [...shown, contactResult]
  const presets = {
    inTwoHours: () => nextContact(serverNow(), detail.gateFacts),
    tomorrow: () => istAt(addDays(today, 1), '10:00'),
    inThreeDays: () => istAt(addDays(today, 3), '10:00'),
  }
  const hinted =
    endCause === null || direction === 'in' || contactWay !== 'phone'
      ? undefined
      : CONTACT_RESULT_OF[endCause]
  const goTo = (name: string) => focusField(formRef.current, name, 'remark')
  const due = dueNow(detail, today)
  const offer = offeredPromise(serverNow(), detail.limits.ptpMaxDays)
  function promise(paise: number): void {
    fields.setValue('ptpAmount', paise, { shouldDirty: true, shouldValidate: true })
    fields.setValue('ptpTime', offer.time, { shouldDirty: true, shouldValidate: true })
    goTo('remark')
  }
  return (
    <FormProvider {...fields}>
      <RequiredFields names={form.required}>
        <form
          ref={formRef}
          className="case-form"
          noValidate
          onKeyDown={keys}
          onSubmit={(event) => {
            event.preventDefault()
            event.stopPropagation()
            if (blocked === null) void submit(false)
          }}
        >
          {form.refusal !== null && (
            <Callout intent="danger" icon="error" className="form-refusal" role="alert">
              {form.refusal}
            </Callout>
          )}
          {restored !== null && (
            <p className="case-note" role="status">
              {t('desk.restored')}
            </p>
          )}
          <fieldset className="case-fields" disabled={refused !== null}>
            <SelectField
              name="contactWay"
              label={t('desk.form.contactWay')}
              options={CONTACT_WAYS.map((value) => ({ value, label: t(`contactWay.${value}`) }))}
            />
            {contacts.length > 1 && (
              <SelectField
                name="contactId"
                label={t('desk.form.contact')}
                options={contacts.map(({ contactId, label }) => ({ value: contactId, label }))}
              />
            )}
            <ChipField
              name="contactResult"
              label={t('desk.form.contactResult')}
              chips={results.map((value) => ({ value, label: t(`contactResult.${value}`) }))}
              onKeyed={(value) => goTo(isReached(value) ? 'willingness' : 'remark')}
            />
            {hinted !== undefined && contactResult === null && endCause !== null && (
              <CallHint
                cause={endCause}
                result={t(`contactResult.${hinted}`)}
                onTake={() => {
                  fields.setValue('contactResult', hinted, { shouldDirty: true })
                  goTo('remark')
                }}
              />
            )}
            {reached && (
              <ChipField
                name="willingness"
                label={t('desk.form.willingness')}
                chips={WILLINGNESS.map((value) => ({ value, label: t(`willingness.${value}`) }))}
                onKeyed={() => goTo('promiseAll')}
              />
            )}
            {mayPromise && (
              <div className="case-promise">
                <MoneyField name="ptpAmount" label={t('desk.form.ptpAmount')} />
                <TimeField name="ptpTime" label={t('desk.form.ptpTime')} />
                {due !== null && (
                  <Button
                    size="small"
                    data-field="promiseAll"
                    text={t(`desk.form.promiseDue.${offer.day}`, { time: offer.clock })}
                    onClick={() => promise(due.paise)}
                  />
                )}
                <Button
                  size="small"
                  data-field={due === null ? 'promiseAll' : undefined}
                  text={t(`desk.form.promiseAll.${offer.day}`, { time: offer.clock })}
                  onClick={() => promise(row.outstanding)}
                />
              </div>
            )}
            <AreaField name="remark" label={t('desk.form.remark')} rows={2} maxLength={500} />
            {harsh.length > 0 && (
              <p className="case-gate" role="status">
                {t('desk.harsh', { words: harsh.join(', ') })}
              </p>
            )}
            {harsh.length > 0 && (
              <SwitchField
                name="asSaid"
                label={t('desk.form.asSaid')}
                text={t('desk.form.asSaidText')}
              />
            )}
            {reached && !(mayPromise && values.ptpTime) && (
              <TimeField name="commitmentTime" label={t('desk.form.commitmentTime')} />
            )}
            <TimeField name="nextFollowTime" label={t('desk.form.nextFollowTime')} />
            <div className="case-presets">
              {Object.entries(presets).map(([name, time]) => (
                <button
                  key={name}
                  type="button"
                  onClick={() => fields.setValue('nextFollowTime', time(), { shouldDirty: true })}
                >
                  {t(`desk.form.${name}`)}
                </button>
              ))}
            </div>
          </fieldset>
          <div className="case-buttons">
            <ActionButton
              intent="primary"
              busy={form.busy}
              text={t('desk.saveNext')}
              keys="Ctrl+Enter"
              disabledReason={blocked}
              onClick={() => submit(true)}
            />
            <ActionButton
              busy={form.busy}
              text={t('desk.save')}
              disabledReason={blocked}
              onClick={() => submit(false)}
            />
          </div>
        </form>
      </RequiredFields>
    </FormProvider>
  )
}
