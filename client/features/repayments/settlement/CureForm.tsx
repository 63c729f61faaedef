/** Asks to take an order out of bad debt under a settlement plan; another person approves (screens.md 4.2). It is asked for once more, with its parts. */
import '../repayments.css'
import './settlement.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { AreaField } from '#client/ui/fields.tsx'
import { fieldError, serverFaults } from '#client/ui/form.ts'
import { FormDrawer } from '#client/ui/FormDrawer.tsx'
import { IstTime } from '#client/ui/IstTime.tsx'
import { Money } from '#client/ui/Money.tsx'
import { useSchemaForm } from '#client/ui/useSchemaForm.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { quotePayment } from '#shared/repayments/repayments-api.ts'
import { faultOfSettlement, type SettlementRow } from '#shared/repayments/settlement-plan.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import { QuoteLine } from '../forms/RepaymentForm.tsx'
import { cureRefusal } from '../forms/payment-rules.ts'
import { QUOTE_MS } from '../quote-asking.ts'
import { useSay } from '../use-say.ts'
import { type Part, PART_DAYS, PartsField } from './PartsField.tsx'

interface Values {
  orderId: string
  version: number
  plan: Part[]
  reason: string
}

const OMIT = ['orderId', 'version'] as const

export function CureForm({ orderId, onDone, onClose }: { orderId: string; onDone?: () => void; onClose: () => void }): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const send = useSend(cureOrder)
  const [asked, setAsked] = useState<{ plan: SettlementRow[]; reason: string } | null>(null)
  const quote = useQuery({ ...queryOf(quotePayment, { orderId, type: 'full' }, { quiet: true }), refetchInterval: QUOTE_MS, retry: false })
  const today = quote.data?.valueDay ?? istDay(serverNow())
  const due = quote.data?.amountDue ?? null
  const form = useSchemaForm<Values>({
    schema: cureOrder.input,
    omit: OMIT,
    values: { orderId, version: 1, plan: [{ dueTime: addDays(istDay(serverNow()), PART_DAYS), amount: null }], reason: '' },
    check({ plan }) {
      const fault = due === null ? null : faultOfSettlement(plan as SettlementRow[], { today, due })
      return fault && { plan: { key: `repayments:fault.settlement.${fault.fault}`, params: {} } }
    },
    // what was typed stays for another try until the question is answered; every part was checked against the schema
    onSubmit: ({ plan, reason }) => Promise.resolve(setAsked({ plan: plan as SettlementRow[], reason })),
  })
  const { setValue, getValues, clearErrors } = form.form
  // one part of all that is owed, until somebody types
  const fill = useEffectEvent((paise: number) => {
    const plan = getValues('plan')
    const [only] = plan
    if (!only || plan.length > 1 || only.amount !== null) return
    setValue('plan', [{ ...only, amount: paise }])
    // the amount was missed before it was known
    clearErrors('plan')
  })
  useEffect(() => {
    if (due !== null) fill(due)
  }, [due])

  async function ask(): Promise<void> {
    if (asked === null || !quote.data) return
    try {
      const { approvalId } = await send.mutateAsync({ orderId, version: quote.data.version, ...asked })
      void showMessage({ intent: 'success', message: t('cure.done', { approvalId }), key: `cure:${orderId}` })
      onDone?.()
      onClose()
    } catch (error) {
      for (const [name, found] of Object.entries(serverFaults(error, cureOrder.input))) form.form.setError(name as keyof Values, fieldError(found))
      void quote.refetch()
      throw error
    }
  }
  const refused = quote.data ? cureRefusal(quote.data.status) : null
  return (
    <>
      <FormDrawer isOpen width={560} title={t('cure.title', { orderId })} form={form} submitText={t('cure.submit')} submitRefused={offline ?? (quote.data ? refused && t(refused) : t('form.noQuote'))} onClose={onClose}>
        <QuoteLine quote={quote.data} error={quote.error} />
        <PartsField name="plan" due={due} today={today} />
        <AreaField name="reason" label={t('col.reason')} rows={2} maxLength={200} />
        <p className="money-note">{t('cure.note')}</p>
      </FormDrawer>
      <ConfirmAction isOpen={asked !== null} intent="primary" title={t('cure.ask')} amount={due ?? 0} confirmText={t('cure.submit')} onConfirm={ask} onClose={() => setAsked(null)}>
        <p>{quote.data?.userName} · <span className="tabular">{orderId}</span></p>
        <ol className="money-asked">{asked?.plan.map(({ dueTime, amount }) => <li key={dueTime}><IstTime value={dueTime} style="day" /> · <Money paise={amount} /></li>)}</ol>
      </ConfirmAction>
    </>
  )
}
