/**
 * Requests the cure of a bad debt under a settlement plan; another person approves. A dialog shows
 * the parts again before the request is sent.
 */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import './settlement.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { AreaField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { quotePayment } from '#shared/repayments/repayments-api.ts'
import { faultOfSettlement, type SettlementRow } from '#shared/repayments/settlement-plan.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import { QuoteLine } from '../forms/QuoteLine.tsx'
import { cureRefusal } from '../forms/payment-rules.ts'
import { QUOTE_MS } from '../quote-asking.ts'
import { type Part, PART_DAYS, PartsField } from './PartsField.tsx'

interface Values {
  orderId: string
  version: number
  plan: Part[]
  reason: string
}

const OMIT = ['orderId', 'version'] as const

export function CureForm({
  orderId,
  onDone,
  onClose,
}: {
  orderId: string
  onDone?: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('repayments')
  const { reason: offline } = useConnection()
  const send = useSend(cureOrder, { quiet: true })
  const quote = useQuery({
    ...queryOf(quotePayment, { orderId, type: 'full' }, { quiet: true }),
    refetchInterval: QUOTE_MS,
    retry: false,
  })
  const today = quote.data?.valueDay ?? istDay(serverNow())
  const due = quote.data?.amountDue ?? null
  const form = useSchemaForm<Values>({
    schema: cureOrder.input,
    omit: OMIT,
    values: {
      orderId,
      version: 1,
      plan: [{ dueTime: addDays(istDay(serverNow()), PART_DAYS), amount: null }],
      reason: '',
    },
    check({ plan }) {
      const fault = due === null ? null : faultOfSettlement(plan as SettlementRow[], { today, due })
      return fault && { plan: { key: `repayments:fault.settlement.${fault.fault}`, params: {} } }
    },
    async onSubmit({ plan, reason }) {
      // the schema has checked every part
      const { approvalId } = await send.mutateAsync({
        orderId,
        version: quote.data?.version ?? 0,
        plan: plan as SettlementRow[],
        reason,
      })
      void showMessage({
        intent: 'success',
        message: t('cure.done', { approvalId }),
        key: `cure:${orderId}`,
      })
      onDone?.()
    },
    onDone: onClose,
  })
  const [shown, confirmation] = useSubmitQuestion(form)
  const { setValue, getValues, clearErrors } = form.form
  // one part over the full amount, until the user types
  const fill = useEffectEvent((paise: number) => {
    const plan = getValues('plan')
    const [only] = plan
    if (!only || plan.length > 1 || only.amount !== null) return
    setValue('plan', [{ ...only, amount: paise }])
    // the amount was reported missing before it was known
    clearErrors('plan')
  })
  useEffect(() => {
    if (due !== null) fill(due)
  }, [due])

  const { refusedBy } = form
  // another user changed the order meanwhile: the next attempt uses its current version
  const again = useEffectEvent(() => void quote.refetch())
  useEffect(() => {
    if (refusedBy !== null) again()
  }, [refusedBy])
  const refused = quote.data ? cureRefusal(quote.data.status) : null
  return (
    <>
      <FormDrawer
        isOpen
        width={560}
        title={t('cure.title', { orderId })}
        form={shown}
        submitText={t('cure.submit')}
        submitRefused={offline ?? (quote.data ? refused && t(refused) : t('form.noQuote'))}
        onClose={onClose}
      >
        <QuoteLine quote={quote.data} error={quote.error} />
        <PartsField name="plan" due={due} today={today} />
        <AreaField name="reason" label={t('col.reason')} rows={2} maxLength={200} />
        <p className="money-note">{t('cure.note')}</p>
      </FormDrawer>
      <ConfirmAction
        {...confirmation}
        intent="primary"
        title={t('cure.ask')}
        amount={due ?? 0}
        confirmText={t('cure.submit')}
      >
        <p>
          {quote.data?.userName} · <span className="tabular">{orderId}</span>
        </p>
        <ol className="money-asked">
          {confirmation.isOpen &&
            (getValues('plan') as SettlementRow[]).map(({ dueTime, amount }) => (
              <li key={dueTime}>
                <IstTime value={dueTime} style="day" /> · <Money paise={amount} />
              </li>
            ))}
        </ol>
      </ConfirmAction>
    </>
  )
}
