/**
 * Writes off one account: at once and finally, or by a payment that another person confirms.
 */
import { type Text, useText } from '#client/base/use-text.ts'
import '../repayments.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { AreaField, DayField, MoneyField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import type { Faults } from '#client/ui/form/fault.ts'
import type { Unfinished } from '#client/ui/form/form.ts'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { istEnd } from '#shared/kernel/time.ts'
import { CHANNELS, OFFLINE } from '#shared/repayments/payment-sets.ts'
import {
  LAUNCHED_TYPES,
  type LaunchedType,
  OPERATIONAL_FROM,
} from '#shared/repayments/write-off-sets.ts'
import { quotePayment } from '#shared/repayments/repayments-api.ts'
import { launchWriteOff, writeOffQuote } from '#shared/repayments/write-offs-api.ts'
import { codeWord } from '../payment-words.ts'
import { ORDER_ID } from '../quote-asking.ts'
import { UpiField } from '../forms/UpiField.tsx'

type Quote = DataOf<typeof writeOffQuote>
interface Values {
  orderId: string
  type: LaunchedType
  repaymentDate: string
  amount: number | null
  reason: string
  utr: string
  upi: string
  channel: number | null
  bankCode: string
}

export interface WriteOffFormProps {
  /** Known when the form is opened from an order or instalment. */
  orderId: string | null
  onDone?: () => void
  onClose: () => void
}

const OMIT = ['version', 'type'] as const
const OMIT_ORDER = [...OMIT, 'orderId'] as const
const PAYMENT = ['utr', 'upi', 'channel', 'bankCode'] as const

export function WriteOffForm({ orderId, onDone, onClose }: WriteOffFormProps): ReactNode {
  const t = useText('repayments')
  const { reason: offline } = useConnection()
  // one call launches every type
  const mayLaunch = usePermission(['flat_management:launch'])
  const mayGiveUp = usePermission(['flat_management:operational'])
  const launch = useSend(launchWriteOff, { quiet: true })
  const types = LAUNCHED_TYPES.filter((type) => (type === 'operational' ? mayGiveUp : mayLaunch))
  const form = useSchemaForm<Values>({
    schema: launchWriteOff.input,
    omit: orderId === null ? OMIT : OMIT_ORDER,
    values: {
      orderId: orderId ?? '',
      type: types[0] ?? 'operational',
      repaymentDate: '',
      amount: null,
      reason: '',
      utr: '',
      upi: '',
      channel: null,
      bankCode: '',
    },
    alsoRequired: ({ type }) => (type === 'operational' ? ['reason'] : PAYMENT),
    check: (values) => faultsOf(values, quote.data, price.data?.amountDue),
    async onSubmit(values) {
      const { writeOffId } = await launch.mutateAsync(inputOf(values, quote.data?.version ?? 0))
      void showMessage({
        intent: 'success',
        message: t(`writeOff.done.${values.type === 'operational' ? 'atOnce' : 'waits'}`, {
          writeOffId,
        }),
        key: `writeOff:${writeOffId}`,
      })
      onDone?.()
    },
    onDone: onClose,
  })
  const [shown, confirmation] = useSubmitQuestion(form)
  const values = useValue({ control: form.form.control }) as Values
  const { type } = values
  const wanted = values.orderId.trim()
  const quote = useQuery({
    ...queryOf(writeOffQuote, { orderId: wanted }, { quiet: true }),
    enabled: ORDER_ID.test(wanted),
    retry: false,
  })
  // a payment counts on its value date, so the amount is what the loan owed on that day
  const price = useQuery({
    ...queryOf(
      quotePayment,
      {
        orderId: wanted,
        type: type === 'rollover' ? 'rollover' : 'full',
        ...payTimeOf(values.repaymentDate, quote.data?.today),
      },
      { quiet: true },
    ),
    enabled: type !== 'operational' && ORDER_ID.test(wanted),
    retry: false,
  })
  const { setValue } = form.form
  const today = quote.data?.today
  const whole =
    type === 'partial'
      ? null
      : type === 'operational'
        ? (quote.data?.outstanding ?? null)
        : (price.data?.amountDue ?? null)
  useEffect(() => {
    if (today !== undefined) setValue('repaymentDate', today)
  }, [setValue, today])
  useEffect(() => {
    if (whole !== null) setValue('amount', whole)
  }, [setValue, whole])

  const { refusedBy } = form
  // the account changed meanwhile: the next attempt uses its current version
  const again = useEffectEvent(() => {
    void quote.refetch()
    if (type !== 'operational') void price.refetch()
  })
  useEffect(() => {
    if (refusedBy !== null) again()
  }, [refusedBy])
  const unpriced = type === 'operational' ? null : price.error
  const unfit = quote.data ? quoteRefusal(quote.data, type, t) : null
  const refused =
    offline ?? unfit ?? (quote.data ? (unpriced ? failureText(unpriced) : null) : t('form.noQuote'))
  return (
    <>
      <FormDrawer
        isOpen
        width={560}
        title={orderId === null ? t('writeOff.title') : t('writeOff.titleOf', { orderId })}
        form={shown}
        submitText={t('writeOff.submit')}
        submitRefused={refused}
        onClose={onClose}
      >
        {orderId === null && <TextField name="orderId" label={t('col.orderId')} maxLength={64} />}
        {quote.error ? (
          <p className="money-note is-wrong" role="alert">
            {failureText(quote.error)}
          </p>
        ) : null}
        <div className="money-kind">
          <Segmented
            label={t('col.writeOffType')}
            value={type}
            segments={types.map((value) => ({ value, label: codeWord('writeOffType', value, t) }))}
            onChange={(value) => setValue('type', value)}
          />
        </div>
        {quote.data && (
          <dl className="fact-box">
            <div>
              <dt>{t('col.userName')}</dt>
              <dd>{quote.data.userName}</dd>
            </div>
            <div className="is-strong">
              <dt>{t('col.outstanding')}</dt>
              <dd>
                <Money paise={quote.data.outstanding} />
              </dd>
            </div>
            <div>
              <dt>{t('col.principal')}</dt>
              <dd>
                <Money paise={quote.data.principal} />
              </dd>
            </div>
            {type === 'operational' && (
              <div>
                <dt>{t('writeOff.cap')}</dt>
                <dd>
                  <Money paise={quote.data.cap} />
                </dd>
              </div>
            )}
          </dl>
        )}
        {unfit !== null && (
          <p className="money-note is-wrong" role="alert">
            {unfit}
          </p>
        )}
        {unpriced ? (
          <p className="money-note is-wrong" role="alert">
            {failureText(unpriced)}
          </p>
        ) : null}
        <MoneyField
          name="amount"
          label={t('col.amount')}
          disabled={type !== 'partial'}
          help={t(`writeOff.amountHelp.${type}`)}
        />
        <DayField
          name="repaymentDate"
          label={t('col.repaymentDate')}
          {...(today === undefined ? {} : { max: today })}
        />
        {type !== 'operational' && (
          <>
            <TextField name="utr" label={t('col.utr')} maxLength={22} help={t('form.utrHelp')} />
            <SelectField
              name="channel"
              label={t('col.channel')}
              numeric
              options={CHANNELS.filter((value) => value !== OFFLINE).map((value) => ({
                value: String(value),
                label: codeWord('channel', value, t),
              }))}
            />
            <UpiField
              upi={values.upi}
              channel={values.channel}
              onUpi={(value) => form.form.setValue('upi', value)}
            />
            <TextField
              name="bankCode"
              label={t('col.bankCode')}
              maxLength={4}
              placeholder="HDFC"
              help={t('form.bankCodeHelp')}
            />
          </>
        )}
        <AreaField name="reason" label={t('col.reason')} rows={2} maxLength={200} />
        <p className={type === 'operational' ? 'money-note is-warning' : 'money-note'}>
          {t(type === 'operational' ? 'writeOff.final' : 'form.four')}
        </p>
      </FormDrawer>
      <ConfirmAction
        {...confirmation}
        intent={type === 'operational' ? 'danger' : 'primary'}
        title={t(`writeOff.ask.${type === 'operational' ? 'operational' : 'payment'}`)}
        amount={values.amount ?? 0}
        confirmText={t('writeOff.submit')}
        {...(type === 'operational'
          ? {
              irreversible: [
                t('writeOff.effect.atOnce'),
                t('writeOff.effect.never'),
                t('writeOff.effect.blacklist'),
              ],
              typeToConfirm: wanted,
            }
          : {})}
      >
        {quote.data && (
          <p>
            {quote.data.userName} · {quote.data.orderId}
          </p>
        )}
      </ConfirmAction>
    </>
  )
}

/** The instant a payment of that day counts from: the end of a past day, else now. */
function payTimeOf(day: string, today: string | undefined): { payTime?: string } {
  return today !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) && day < today
    ? { payTime: istEnd(day) }
    : {}
}

/** Only the fields that the kind of write-off needs. */
function inputOf(values: Values, version: number): InputOf<typeof launchWriteOff> {
  const { orderId, type, repaymentDate, reason, utr, upi, channel, bankCode } = values
  const given = reason === undefined || reason.trim() === '' ? {} : { reason }
  const head = { orderId, version, type, repaymentDate, amount: values.amount as number, ...given }
  return type === 'operational' ? head : { ...head, utr, upi, channel: channel as number, bankCode }
}

function quoteRefusal(quote: Quote, type: LaunchedType, t: Text): string | null {
  if (type === 'operational' ? quote.isBusy : quote.isBeingPaid) return t('writeOff.busy')
  if (!OPERATIONAL_FROM.includes(quote.status))
    return t(quote.status === 43 ? 'refused.processing' : 'refused.nothingDue')
  return type === 'operational' && quote.outstanding > quote.cap ? t('writeOff.aboveCap') : null
}

/** @param due paise that settle the loan on the value date of the payment */
function faultsOf(
  values: Unfinished<Values>,
  quote: Quote | undefined,
  due: number | undefined,
): Faults {
  const { type, amount, repaymentDate } = values
  const faults: Faults = {}
  if (type === 'operational') return faults
  if (due !== undefined && type === 'partial' && amount !== null && amount >= due)
    faults.amount = { key: 'repayments:fault.amount.less', params: {} }
  if (quote && repaymentDate > quote.today)
    faults.repaymentDate = { key: 'repayments:fault.future', params: {} }
  return faults
}
