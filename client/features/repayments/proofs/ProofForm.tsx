/** Submits a receipt the borrower showed. The draft is kept until it is sent. */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import './proofs.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { checkFiles, FilesField, useFormFiles } from '#client/features/files/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { useSession } from '#client/session/session-store.ts'
import { MoneyField, SelectField, TextField, TimeField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { CHANNELS } from '#shared/repayments/payment-sets.ts'
import { addProof } from '#shared/repayments/proofs-api.ts'
import { quotePayment } from '#shared/repayments/repayments-api.ts'
import { codeWord } from '../payment-words.ts'
import { ORDER_ID } from '../quote-asking.ts'
import { dropProof, keepProof, type ProofDraft, readProof, sweepProofs } from './proof-draft.ts'

interface Values extends ProofDraft {
  orderId: string
  files: readonly File[]
}

export interface ProofFormProps {
  /** Known when the form is opened from an order, instalment or case. */
  orderId: string | null
  onDone?: () => void
  onClose: () => void
}

const RULE = addProof.files as FileRule
const OMIT_ORDER = ['orderId'] as const

export function ProofForm({ orderId, onDone, onClose }: ProofFormProps): ReactNode {
  const t = useText('repayments')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const send = useSend(addProof, { quiet: true })
  const draftOf = orderId ?? 'any'
  const [kept] = useState(() => readProof(localStorage, user.userId, draftOf, Date.now()))
  const form = useSchemaForm<Values>({
    schema: addProof.input,
    ...(orderId === null ? {} : { omit: OMIT_ORDER }),
    values: {
      orderId: orderId ?? '',
      files: [],
      ...(kept ?? { amount: null, utr: '', payTime: null, channel: null }),
    },
    check: ({ payTime }) =>
      payTime !== null && Date.parse(payTime) > serverNow()
        ? { payTime: { key: 'repayments:fault.future', params: {} } }
        : null,
    async onSubmit(values) {
      const files = await checkFiles(form.form.getValues('files'), RULE)
      // the schema has checked each field
      const input = {
        orderId: values.orderId,
        amount: values.amount as number,
        utr: values.utr,
        payTime: values.payTime as string,
        channel: values.channel as number,
        files,
      }
      const { proofId } = await send.mutateAsync(input)
      dropProof(localStorage, user.userId, draftOf)
      void showMessage({
        intent: 'success',
        message: t('proof.done', { proofId }),
        key: `proof:${proofId}`,
      })
      onDone?.()
    },
    onDone: onClose,
  })
  const values = useValue({ control: form.form.control }) as Values
  const { amount, utr, payTime, channel } = values
  useEffect(() => sweepProofs(localStorage, Date.now()), [])
  useEffect(() => {
    if (form.isDirty)
      keepProof(
        localStorage,
        user.userId,
        draftOf,
        {
          amount: amount ?? null,
          utr: utr ?? '',
          payTime: payTime ?? null,
          channel: channel ?? null,
        },
        Date.now(),
      )
  }, [form.isDirty, user.userId, draftOf, amount, utr, payTime, channel])
  const shown = useFormFiles(form, RULE, addProof.input)
  const wanted = values.orderId.trim()
  const quote = useQuery({
    ...queryOf(
      quotePayment,
      { orderId: wanted, type: 'full', ...(payTime ? { payTime } : {}) },
      { quiet: true },
    ),
    enabled: ORDER_ID.test(wanted),
    retry: false,
  })

  return (
    <FormDrawer
      isOpen
      width={560}
      title={orderId === null ? t('proof.add') : t('proof.addOf', { orderId })}
      form={shown}
      submitText={t('proof.send')}
      submitRefused={offline}
      onClose={onClose}
    >
      {orderId === null && <TextField name="orderId" label={t('col.orderId')} maxLength={64} />}
      {quote.data && (
        <dl className="fact-box">
          <div>
            <dt>{t('col.userName')}</dt>
            <dd>{quote.data.userName}</dd>
          </div>
          <div className="is-strong">
            <dt>
              {t('quote.due')} · <IstTime value={quote.data.valueDay} style="day" />
            </dt>
            <dd>
              <Money paise={quote.data.amountDue} />
            </dd>
          </div>
        </dl>
      )}
      <MoneyField name="amount" label={t('col.amount')} help={t('proof.amountHelp')} />
      <TextField name="utr" label={t('col.utr')} maxLength={22} help={t('form.utrHelp')} />
      <TimeField name="payTime" label={t('col.payTime')} help={t('form.payTimeHelp')} />
      <SelectField
        name="channel"
        label={t('col.channel')}
        numeric
        options={CHANNELS.map((value) => ({
          value: String(value),
          label: codeWord('channel', value, t),
        }))}
      />
      <FilesField rule={RULE} />
      <p className="money-note">{t('proof.holds')}</p>
    </FormDrawer>
  )
}
