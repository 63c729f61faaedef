/**
 * Requests a reduction of the fines and fees of an overdue order; a higher role decides. A dialog
 * shows the figures again before the request is sent.
 */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import { Button } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { CallError } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { AreaField, DayField, MoneyField, TextField } from '#client/ui/form/fields.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import { fieldError, type Unfinished } from '#client/ui/form/form.ts'
import type { Fault, Faults } from '#client/ui/form/fault.ts'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import {
  faultOfItems,
  REDUCED_PARTS,
  type ReducedPart,
  type ReduceItems,
  sumOfItems,
} from '#shared/repayments/reduction-sets.ts'
import { ABOVE_CAP } from '#shared/repayments/repayment-problems.ts'
import { launchReduction, reduceFields, reductionLimit } from '#shared/repayments/reductions-api.ts'
import type { ReductionLimit } from '../payment-types.ts'
import { ORDER_ID } from '../quote-asking.ts'

interface Values extends ReduceItems {
  orderId: string
  validUntil: string
  reason: string
}

export interface ReduceFormProps {
  /** Known when the form is opened from an order, instalment or case. */
  orderId: string | null
  onDone?: () => void
  onClose: () => void
}

const OMIT_ORDER = ['orderId'] as const
const NOTHING: ReduceItems = { overdueFine: 0, serviceFee: 0, interest: 0 }

export function ReduceForm({ orderId, onDone, onClose }: ReduceFormProps): ReactNode {
  const t = useText('repayments', 'access')
  const { reason: offline } = useConnection()
  const launch = useSend(launchReduction, { quiet: true })
  const roleWords = (marks: readonly string[]) =>
    marks.map((mark) => t(`access:mark.${mark}`)).join(', ')
  const form = useSchemaForm<Values>({
    schema: reduceFields,
    ...(orderId === null ? {} : { omit: OMIT_ORDER }),
    values: { orderId: orderId ?? '', ...NOTHING, validUntil: '', reason: '' },
    check: (values) => faultsOf(values, limit.data, roleWords),
    async onSubmit({ orderId: of, validUntil, reason, ...reduceItems }) {
      try {
        const { reduceId } = await launch.mutateAsync({
          orderId: of,
          planId: limit.data?.planId ?? '',
          version: limit.data?.version ?? 0,
          reduceItems,
          validUntil,
          reason,
        })
        void showMessage({
          intent: 'success',
          message: t('reduce.done', { reduceId }),
          key: `reduction:${reduceId}`,
        })
      } catch (error) {
        void limit.refetch()
        // the cap changed since it was read
        if (error instanceof CallError && error.problem?.id === ABOVE_CAP.id)
          form.form.setError(
            lastPart(reduceItems),
            fieldError(capFault((error.data as { roles: string[] }).roles, roleWords)),
          )
        throw error
      }
      onDone?.()
    },
    onDone: onClose,
  })
  const [shown, confirmation] = useSubmitQuestion(form)
  const values = useValue({ control: form.form.control }) as Values
  const wanted = values.orderId.trim()
  const limit = useQuery({
    ...queryOf(reductionLimit, { orderId: wanted }, { quiet: true }),
    enabled: ORDER_ID.test(wanted),
    retry: false,
  })
  const { setValue } = form.form
  const validDefault = limit.data?.validDefault
  useEffect(() => {
    if (validDefault !== undefined) setValue('validUntil', validDefault)
  }, [setValue, validDefault])

  const refused = offline ?? (limit.data ? openRefusal(limit.data, t) : t('form.noQuote'))
  const sum = sumOfItems(itemsOf(values))
  return (
    <>
      <FormDrawer
        isOpen
        width={560}
        title={orderId === null ? t('reduce.title') : t('reduce.titleOf', { orderId })}
        form={shown}
        submitText={t('reduce.submit')}
        submitRefused={refused}
        onClose={onClose}
      >
        {orderId === null && <TextField name="orderId" label={t('col.orderId')} maxLength={64} />}
        {limit.error ? (
          <p className="money-note is-wrong" role="alert">
            {failureText(limit.error)}
          </p>
        ) : null}
        {limit.data && (
          <Limit
            limit={limit.data}
            onMost={() =>
              REDUCED_PARTS.forEach((part) =>
                setValue(part, limit.data.maxItems[part], {
                  shouldDirty: true,
                  shouldValidate: true,
                }),
              )
            }
          />
        )}
        {REDUCED_PARTS.map((part) => (
          <MoneyField
            key={part}
            name={part}
            label={t(`col.${part}`)}
            disabled={limit.data?.open[part] === 0}
            help={
              limit.data
                ? ((
                    <>
                      {t('reduce.open')} <Money paise={limit.data.open[part]} />
                    </>
                  ) as never)
                : undefined
            }
          />
        ))}
        {limit.data && (
          <dl className="fact-box">
            <div>
              <dt>{t('col.reduceAmount')}</dt>
              <dd>
                <Money paise={sum} />
              </dd>
            </div>
            <div className="is-strong">
              <dt>{t('col.payAmount')}</dt>
              <dd>
                <Money paise={Math.max(0, limit.data.due - sum)} />
              </dd>
            </div>
          </dl>
        )}
        <DayField
          name="validUntil"
          label={t('col.validUntil')}
          {...(limit.data ? { min: limit.data.validFrom, max: limit.data.validTo } : {})}
          help={t('reduce.validHelp')}
        />
        <AreaField name="reason" label={t('col.reason')} rows={2} maxLength={200} />
        {limit.data && (
          <p className="money-note">
            {t('reduce.decides', { roles: roleWords(limit.data.approverRoles) })}
          </p>
        )}
      </FormDrawer>
      <ConfirmAction
        {...confirmation}
        intent="primary"
        title={t('reduce.ask')}
        amount={sum}
        confirmText={t('reduce.submit')}
      >
        {confirmation.isOpen && limit.data && (
          <p>
            {limit.data.userName} · {limit.data.orderId}
            <br />
            {t('col.payAmount')} <Money paise={limit.data.due - sum} /> · {t('col.validUntil')}{' '}
            <IstTime value={values.validUntil} style="day" />
          </p>
        )}
      </ConfirmAction>
    </>
  )
}

/** What the order owes, and how much of it the user may request. */
function Limit({ limit, onMost }: { limit: ReductionLimit; onMost: () => void }): ReactNode {
  const t = useText('repayments')
  return (
    <>
      <dl className="fact-box">
        <div>
          <dt>{t('col.userName')}</dt>
          <dd>{limit.userName}</dd>
        </div>
        <div className="is-strong">
          <dt>{t('quote.due')}</dt>
          <dd>
            <Money paise={limit.due} />
          </dd>
        </div>
        <div>
          <dt>{t('col.principal')}</dt>
          <dd>
            <Money paise={limit.principal} />
          </dd>
        </div>
        <div>
          <dt>{t('reduce.cap', { percent: limit.capPercent })}</dt>
          <dd>
            <Money paise={limit.cap} />
          </dd>
        </div>
      </dl>
      <div className="money-note money-most">
        <span>{t('reduce.rule')}</span>
        <Button size="small" text={t('reduce.most')} disabled={limit.cap === 0} onClick={onMost} />
      </div>
    </>
  )
}

function openRefusal(limit: ReductionLimit, t: ReturnType<typeof useText>): string | null {
  if (limit.openReduceId !== null)
    return t('refused.openReduction', { reduceId: limit.openReduceId })
  if (limit.status !== 50 && limit.status !== 90)
    return t(
      limit.status === 43
        ? 'refused.processing'
        : limit.status === 30
          ? 'refused.notOverdue'
          : 'refused.nothingDue',
    )
  return limit.planId === null ? t('refused.nothingDue') : null
}

function itemsOf({
  overdueFine,
  serviceFee,
  interest,
}: Partial<Unfinished<ReduceItems>>): ReduceItems {
  const whole = (value: unknown) =>
    typeof value === 'number' && Number.isSafeInteger(value) ? value : 0
  return {
    overdueFine: whole(overdueFine),
    serviceFee: whole(serviceFee),
    interest: whole(interest),
  }
}

type RoleWords = (marks: readonly string[]) => string

/** Shown above the user's cap: the roles that may request as much. */
function capFault(roles: readonly string[], words: RoleWords): Fault {
  return roles.length === 0
    ? { key: 'repayments:fault.reduce.cap', params: {} }
    : { key: 'repayments:fault.reduce.capOf', params: { roles: words(roles) } }
}

/** The part that is reduced last. */
function lastPart(items: ReduceItems): ReducedPart {
  return [...REDUCED_PARTS].toReversed().find((part) => items[part] > 0) ?? 'overdueFine'
}

function faultsOf(
  values: Unfinished<Values>,
  limit: ReductionLimit | undefined,
  words: RoleWords,
): Faults | null {
  if (!limit) return null
  const { validUntil } = values
  const day =
    validUntil < limit.validFrom ? 'validPast' : validUntil > limit.validTo ? 'validTooFar' : null
  return {
    ...faultOfParts(itemsOf(values), limit, words),
    ...(day && { validUntil: { key: `repayments:fault.${day}`, params: {} } }),
  }
}

function faultOfParts(items: ReduceItems, limit: ReductionLimit, words: RoleWords): Faults {
  const fault = faultOfItems(items, limit.open)
  if (fault) return { [fault.part]: { key: `repayments:fault.reduce.${fault.fault}`, params: {} } }
  const sum = sumOfItems(items)
  if (sum < 1) return { overdueFine: { key: 'repayments:fault.reduceNothing', params: {} } }
  if (sum <= limit.cap) return {}
  const able = limit.launchers.filter(({ cap }) => cap >= sum).map(({ role }) => role)
  return { [lastPart(items)]: capFault(able, words) }
}
