/**
 * Accepts a proof: shows the receipt beside the payment to be booked and what that changes. The
 * value date is the time of the UTR.
 */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import './proofs.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { CallError } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { MoneyField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import { CHANGED_BY_OTHER } from '#shared/kernel/problem.ts'
import { CHANNELS, fitsDue, STAFF_REPAYMENT_TYPES } from '#shared/repayments/payment-sets.ts'
import { decideProof } from '#shared/repayments/proofs-api.ts'
import { PROOF_STATE } from '#shared/repayments/repayment-problems.ts'
import { previewPayment, quotePayment } from '#shared/repayments/repayments-api.ts'
import { PaymentPreview } from '../forms/PaymentPreview.tsx'
import { QuoteLine } from '../forms/QuoteLine.tsx'
import { UsedUtr } from '../forms/UsedUtr.tsx'
import type { ProofRow } from '../payment-types.ts'
import { codeWord } from '../payment-words.ts'
import { QUOTE_MS } from '../quote-asking.ts'
import { ProofFacts } from './ProofDrawer.tsx'
import { ProofFiles } from './ProofFiles.tsx'
import { paymentFaults } from '../forms/payment-faults.ts'
import { UpiField } from '../forms/UpiField.tsx'

type Type = (typeof STAFF_REPAYMENT_TYPES)[number]

interface Values {
  repaymentType: Type
  amount: number | null
  utr: string
  upi: string
  channel: number | null
  bankCode: string
}

export interface AcceptFormProps {
  proof: ProofRow
  onRow: (row: ProofRow) => void
  onClose: () => void
}

const OMIT = ['proofId', 'version', 'result', 'reason', 'repaymentType'] as const
const NEEDED = ['amount', 'utr', 'upi', 'channel', 'bankCode'] as const

export function AcceptForm({ proof, onRow, onClose }: AcceptFormProps): ReactNode {
  const t = useText('repayments')
  const { reason: offline } = useConnection()
  const send = useSend(decideProof, { quiet: true })
  const { proofId, version, orderId, payTime } = proof
  const form = useSchemaForm<Values>({
    schema: decideProof.input,
    omit: OMIT,
    values: {
      repaymentType: 'full',
      amount: proof.amount,
      utr: proof.utr,
      upi: '-',
      channel: proof.channel,
      bankCode: '',
    },
    alsoRequired: () => NEEDED,
    check: (values) => paymentFaults(values, quote.data?.amountDue ?? null),
    async onSubmit({ repaymentType, amount, utr, upi, channel, bankCode }) {
      // the schema has checked each field
      const accepted = await send.mutateAsync({
        proofId,
        version,
        result: 'accepted',
        repaymentType,
        amount: amount as number,
        utr,
        upi,
        channel: channel as number,
        bankCode,
      })
      void showMessage({
        intent: 'success',
        message: t('proof.accepted', { proofId, recordId: accepted.recordId ?? '' }),
        key: `proof:${proofId}`,
      })
      onRow(accepted.proof)
    },
    onDone: onClose,
  })
  const { repaymentType, amount, utr, upi, channel } = useValue({
    control: form.form.control,
  }) as Values
  const quote = useQuery({
    ...queryOf(quotePayment, { orderId, type: repaymentType, payTime }, { quiet: true }),
    refetchInterval: QUOTE_MS,
    retry: false,
  })
  const due = quote.data?.amountDue
  const { setValue } = form.form
  useEffect(() => {
    // less than the full amount is a partial payment, so the reviewer need not choose it
    if (due !== undefined && repaymentType === 'full' && proof.amount < due)
      setValue('repaymentType', 'partial')
  }, [setValue, due, repaymentType, proof.amount])
  const [shown, confirmation] = useSubmitQuestion(form)
  const { refusedBy } = form
  const settle = useEffectEvent((error: CallError) => {
    void quote.refetch()
    if (
      (error.problem?.id === PROOF_STATE.id || error.problem?.id === CHANGED_BY_OTHER.id) &&
      error.data !== null
    )
      onRow(error.data as ProofRow)
  })
  useEffect(() => {
    if (refusedBy instanceof CallError) settle(refusedBy)
  }, [refusedBy])
  const isComplete =
    due !== undefined &&
    amount !== null &&
    Number.isSafeInteger(amount) &&
    fitsDue(repaymentType, amount, due)
  const input = useMemo(
    () => ({ orderId, repaymentType, amount: amount ?? 1, payTime }),
    [orderId, repaymentType, amount, payTime],
  )
  const preview = useQuery({
    ...queryOf(previewPayment, input, { quiet: true }),
    enabled: isComplete,
    retry: false,
    staleTime: 10_000,
  })
  const refused =
    offline ??
    (proof.state === 'pending'
      ? proof.duplicate
        ? t('proof.used')
        : quote.data
          ? null
          : t('form.noQuote')
      : t('refused.decided'))

  return (
    <FormDrawer
      isOpen
      width={1040}
      title={t('proof.acceptOf', { proofId })}
      form={shown}
      submitText={t('proof.accept')}
      intent="success"
      submitRefused={refused}
      onClose={onClose}
    >
      <div className="proof-check">
        <div className="proof-look">
          <ProofFacts proof={proof} />
          <ProofFiles proof={proof} />
        </div>
        <div>
          <div className="money-kind">
            <Segmented
              label={t('col.repaymentType')}
              value={repaymentType}
              segments={STAFF_REPAYMENT_TYPES.map((value) => ({
                value,
                label: codeWord('type', value, t),
              }))}
              onChange={(value) => setValue('repaymentType', value)}
            />
          </div>
          <QuoteLine quote={quote.data} error={quote.error} />
          <MoneyField
            name="amount"
            label={t('col.amount')}
            help={repaymentType === 'partial' ? t('form.partialHelp') : t('form.wholeHelp')}
          />
          <TextField name="utr" label={t('col.utr')} maxLength={22} help={t('form.utrHelp')} />
          <UsedUtr utr={utr} refusedBy={refusedBy} />
          <SelectField
            name="channel"
            label={t('col.channel')}
            numeric
            options={CHANNELS.map((value) => ({
              value: String(value),
              label: codeWord('channel', value, t),
            }))}
          />
          <UpiField upi={upi} channel={channel} onUpi={(value) => setValue('upi', value)} />
          <TextField
            name="bankCode"
            label={t('col.bankCode')}
            maxLength={4}
            placeholder="HDFC"
            help={t('form.bankCodeHelp')}
          />
          {isComplete ? <PaymentPreview preview={preview.data} error={preview.error} /> : null}
          <p className="money-note">{t('proof.acceptEffect')}</p>
        </div>
      </div>
      <ConfirmAction
        {...confirmation}
        intent="success"
        title={t('proof.acceptAsk')}
        amount={amount ?? 0}
        confirmText={t('proof.accept')}
      >
        <p>
          {quote.data?.userName} · <span className="tabular">{orderId}</span> ·{' '}
          {codeWord('type', repaymentType, t)} · <span className="tabular">{utr}</span>
        </p>
        <PaymentPreview preview={preview.data} error={preview.error} />
      </ConfirmAction>
    </FormDrawer>
  )
}
