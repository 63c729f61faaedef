/**
 * Books a payment by a borrower; another person confirms it. The effect of the payment is shown
 * below the fields.
 */
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import {
  AreaField,
  MoneyField,
  SelectField,
  TextField,
  TimeField,
} from '#client/ui/form/fields.tsx'
import type { Faults } from '#client/ui/form/fault.ts'
import type { Unfinished } from '#client/ui/form/form.ts'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { type SchemaForm, useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { PrepaymentEffect } from '#shared/repayments/emi/prepayment-effects.ts'
import {
  CHANNELS,
  fitsDue,
  OFFLINE,
  QUOTE_TYPES,
  type QuoteType,
} from '#shared/repayments/payment-sets.ts'
import { exitCoolingOff } from '#shared/repayments/cooling-off-api.ts'
import { addRecord, previewPayment, quotePayment } from '#shared/repayments/repayments-api.ts'
import type { Quote } from '../payment-types.ts'
import { codeWord } from '../payment-words.ts'
import { ORDER_ID, QUOTE_MS } from '../quote-asking.ts'
import { paymentFaults } from './payment-faults.ts'
import { AheadField } from './AheadField.tsx'
import { CouponField } from './CouponField.tsx'
import { PaymentPreview } from './PaymentPreview.tsx'
import { QuoteLine } from './QuoteLine.tsx'
import { UpiField } from './UpiField.tsx'
import { UsedUtr } from './UsedUtr.tsx'

/** Nothing is selected at first. */
type Values = Omit<
  InputOf<typeof addRecord>,
  'repaymentType' | 'amount' | 'channel' | 'payTime' | 'couponGrantId' | 'ahead'
> & {
  repaymentType: QuoteType
  amount: number | null
  channel: number | null
  payTime: string | null
  couponGrantId: string
  /** Empty: the next instalment, and beyond it the default of the product. */
  ahead: PrepaymentEffect | ''
}

export interface RepaymentFormProps {
  /** Known when the form is opened from an order or instalment. */
  orderId: string | null
  /** Selected at first. */
  type?: QuoteType
  onDone?: (recordId: string) => void
  onClose: () => void
}

const HELP_OF = {
  full: 'form.wholeHelp',
  partial: 'form.partialHelp',
  rollover: 'form.rolloverHelp',
  coolingOff: 'form.wholeHelp',
} as const satisfies Record<QuoteType, string>
const OMIT = ['version', 'repaymentType', 'ahead'] as const
const OMIT_ORDER = [...OMIT, 'orderId'] as const

export function RepaymentForm({
  orderId,
  type = 'full',
  onDone,
  onClose,
}: RepaymentFormProps): ReactNode {
  const t = useText('repayments')
  const { reason: offline } = useConnection()
  const mayExit = usePermission(exitCoolingOff.access)
  const add = useSend(addRecord, { quiet: true })
  const exit = useSend(exitCoolingOff, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: addRecord.input,
    omit: orderId === null ? OMIT : OMIT_ORDER,
    values: {
      orderId: orderId ?? '',
      version: 1,
      repaymentType: type,
      amount: null,
      utr: '',
      upi: '',
      channel: null,
      bankCode: '',
      payTime: new Date(serverNow()).toISOString(),
      remark: '',
      couponGrantId: '',
      ahead: '',
    },
    check: (values) => faultsOf(values, dueOf(quote.data, values)),
    async onSubmit(values) {
      const { repaymentType, remark, couponGrantId, ahead, ...fields } = values
      // the schema has checked each field; the version is that of the quoted order
      const paid = {
        ...fields,
        version: quote.data?.version ?? 0,
        amount: fields.amount as number,
        channel: fields.channel as number,
        payTime: fields.payTime as string,
      }
      const { recordId } =
        repaymentType === 'coolingOff'
          ? await exit.mutateAsync(paid)
          : await add.mutateAsync({
              ...paid,
              repaymentType,
              ...(remark === undefined ? {} : { remark }),
              ...(couponGrantId ? { couponGrantId } : {}),
              ...(ahead && repaymentType === 'partial' ? { ahead } : {}),
            })
      void showMessage({
        intent: 'success',
        message: t('form.done', { recordId }),
        key: `repayment:${recordId}`,
      })
      onDone?.(recordId)
    },
    onDone: onClose,
  })
  const values = useValue({ control: form.form.control }) as Values
  const { repaymentType, payTime } = values
  const wanted = {
    orderId: values.orderId.trim(),
    type: repaymentType,
    ...(payTime === null ? {} : { payTime }),
  }
  const quote = useQuery({
    ...queryOf(quotePayment, wanted, { quiet: true }),
    enabled: ORDER_ID.test(wanted.orderId),
    refetchInterval: QUOTE_MS,
    retry: false,
  })
  const due = dueOf(quote.data, values)
  useDueAsAmount(form, repaymentType, due)
  const [shown, confirmation] = useSubmitQuestion(
    form,
    () => form.form.getValues('repaymentType') === 'coolingOff',
  )
  const { refusedBy } = form
  // another user changed the order meanwhile: the next attempt uses its current version
  const again = useEffectEvent(() => void quote.refetch())
  useEffect(() => {
    if (refusedBy !== null) again()
  }, [refusedBy])

  // a loan in equated instalments has no extension; until it is quoted all is offered, and a refused
  // quote of another kind leaves what is known
  const [isEmi, setIsEmi] = useState(false)
  if (quote.data !== undefined && isEmi !== (quote.data.prepayment !== null)) setIsEmi(!isEmi)
  const offered = QUOTE_TYPES.filter(
    (one) =>
      (one !== 'coolingOff' || mayExit) && (one !== 'rollover' || one === repaymentType || !isEmi),
  )
  return (
    <FormDrawer
      isOpen
      width={600}
      title={orderId === null ? t('form.title') : t('form.titleOf', { orderId })}
      form={shown}
      submitText={t('form.submit')}
      submitRefused={offline ?? (quote.data ? null : t('form.noQuote'))}
      onClose={onClose}
    >
      {orderId === null && <TextField name="orderId" label={t('col.orderId')} maxLength={64} />}
      <div className="money-kind">
        <Segmented
          label={t('col.repaymentType')}
          value={repaymentType}
          segments={offered.map((value) => ({
            value,
            label: codeWord('type', value, t),
          }))}
          onChange={(value) => form.form.setValue('repaymentType', value)}
        />
      </div>
      <QuoteLine quote={quote.data} error={quote.error} />
      <CouponField coupons={quote.data?.coupons ?? []} chosen={values.couponGrantId} />
      <MoneyField
        name="amount"
        label={t('col.amount')}
        disabled={repaymentType !== 'partial'}
        help={t(HELP_OF[repaymentType])}
      />
      <TimeField name="payTime" label={t('col.payTime')} help={t('form.payTimeHelp')} />
      <TextField name="utr" label={t('col.utr')} maxLength={22} help={t('form.utrHelp')} />
      <UsedUtr utr={values.utr} refusedBy={refusedBy} />
      <SelectField
        name="channel"
        label={t('col.channel')}
        numeric
        options={CHANNELS.map((value) => ({
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
      {repaymentType !== 'coolingOff' && (
        <AreaField name="remark" label={t('col.remark')} rows={2} maxLength={200} />
      )}
      {quote.data?.prepayment && repaymentType === 'partial' && (
        <AheadField
          chosen={values.ahead}
          onChoose={(ahead) => form.form.setValue('ahead', ahead)}
          input={previewInput({ ...values, ahead: '' }, due)}
        />
      )}
      <Changes values={values} due={due} />
      <p className="money-note">{t('form.four')}</p>
      <ConfirmAction
        {...confirmation}
        intent="primary"
        title={t('form.askExit')}
        amount={values.amount ?? 0}
        confirmText={t('form.submit')}
      >
        <p>
          {quote.data?.userName} · <span className="tabular">{wanted.orderId}</span>
        </p>
        <p>{t('form.exitEffect')}</p>
        <Changes values={values} due={due} />
      </ConfirmAction>
    </FormDrawer>
  )
}

/**
 * A payment in full, for an extension or for the cooling-off exit is exactly the amount due; a
 * partial payment is what the borrower paid.
 */
function useDueAsAmount(form: SchemaForm<Values>, type: QuoteType, quoted: number | null): void {
  const { setValue } = form.form
  const due = type === 'partial' ? null : quoted
  useEffect(() => {
    if (due !== null) setValue('amount', due)
  }, [setValue, due])
}

/** Paise that settle the loan, with the chosen coupon; null before they are known. */
function dueOf(
  quote: Quote | undefined,
  { couponGrantId }: Pick<Values, 'couponGrantId'>,
): number | null {
  const chosen = quote?.coupons.find(({ grantId }) => grantId === couponGrantId)
  return chosen?.due ?? quote?.amountDue ?? null
}

function faultsOf(values: Unfinished<Values>, due: number | null): Faults {
  const { channel, payTime } = values
  const fault = (name: string) => ({ key: `repayments:fault.${name}`, params: {} })
  return {
    ...paymentFaults(values, due),
    ...(payTime !== null && Date.parse(payTime) > serverNow() && { payTime: fault('future') }),
    ...(channel === OFFLINE && { channel: fault('offline') }),
  }
}

/** The payment as it could be booked; null while it could not. */
function previewInput(
  { orderId, repaymentType, amount, payTime, couponGrantId, ahead }: Values,
  due: number | null,
): InputOf<typeof previewPayment> | null {
  const isComplete =
    due !== null &&
    amount !== null &&
    Number.isSafeInteger(amount) &&
    payTime !== null &&
    Date.parse(payTime) <= serverNow() &&
    fitsDue(repaymentType, amount, due)
  if (!isComplete) return null
  return {
    orderId: orderId.trim(),
    repaymentType,
    amount,
    payTime,
    ...(couponGrantId ? { couponGrantId } : {}),
    ...(ahead && repaymentType === 'partial' ? { ahead } : {}),
  }
}

const NOTHING_ENTERED = { orderId: '', repaymentType: 'full', amount: 1, payTime: '' } as const

/** Requested as soon as the values could be booked. */
function Changes({ values, due }: { values: Values; due: number | null }): ReactNode {
  const input = previewInput(values, due)
  const preview = useQuery({
    ...queryOf(previewPayment, input ?? NOTHING_ENTERED, { quiet: true }),
    enabled: input !== null,
    retry: false,
    staleTime: 10_000,
  })
  return input === null ? null : <PaymentPreview preview={preview.data} error={preview.error} />
}
