/**
 * Form for a failed transfer: the handling method, the UTR of money sent by hand, a remark. Shows
 * the effect before it is submitted.
 */
import { useText } from '#client/base/use-text.ts'
import '../orders.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { Figures } from '#client/screen/detail/Figures.tsx'
import { AreaField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import {
  HANDLING_METHODS,
  type HandlingMethod,
  handleTransfer,
  type listWaiting,
  payoutVendors,
  previewFailed,
} from '#shared/orders/disbursement-api.ts'
import { codeWord } from '../order-words.ts'

/** The last transfer of an order in status 31. */
export interface FailedTransfer {
  transferId: string
  version: number
  orderId: string
  payeeName: string
  account: string
  /** Paise. */
  amount: number
  vendorCode: string
  transferType: string
  failReason: string | null
  /** What a retry lacks, where the row says so. */
  resend?: DataOf<typeof listWaiting>['rows'][number]['resend']
}

interface Values {
  handlingMethod: HandlingMethod
  utr: string
  remark: string
}

const OMIT = ['transferId', 'version'] as const

export function HandleForm({
  transfer,
  onDone,
  onClose,
}: {
  transfer: FailedTransfer
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('orders', 'problems')
  const { reason: offline } = useConnection()
  const send = useSend(handleTransfer, { quiet: true })
  const { transferId, version, orderId, vendorCode } = transfer
  const vendors = useQuery({
    ...queryOf(payoutVendors, { orderId }, { quiet: true }),
    staleTime: 60_000,
  })
  const preview = useQuery({
    ...queryOf(previewFailed, { orderIds: [orderId], action: 'redisburse' }, { quiet: true }),
    retry: false,
  })
  const form = useSchemaForm<Values>({
    schema: handleTransfer.input,
    omit: OMIT,
    values: { handlingMethod: usualMethod(transfer), utr: '', remark: '' },
    alsoRequired: ({ handlingMethod }) => neededBy(handlingMethod),
    async onSubmit({ handlingMethod, utr, remark }) {
      const given = {
        ...(handlingMethod === 'manualTransfer' ? { utr } : {}),
        ...(remark ? { remark } : {}),
      }
      const { asked } = await send.mutateAsync({ transferId, version, handlingMethod, ...given })
      void showMessage(
        asked
          ? { intent: 'primary', message: t('wait.done.asked', { count: 1 }), key: 'wait-asked' }
          : {
              intent: 'success',
              message: t(`handle.done.${handlingMethod}`, { orderId }),
              key: `handle:${transferId}`,
            },
      )
      onDone()
    },
    onDone: onClose,
  })
  const { handlingMethod } = useValue({ control: form.form.control }) as Values
  const { refusedBy } = form
  const reread = useEffectEvent(onDone)
  useEffect(() => {
    // the refusal may also mean that the row has changed
    if (refusedBy !== null) reread()
  }, [refusedBy])

  const sends =
    handlingMethod === 'retrySame' ||
    handlingMethod === 'changeVendor' ||
    handlingMethod === 'manualTransfer'
  const obstacle = preview.data?.excluded[0]?.reason
  const other = vendors.data?.other ?? null
  const unfit: Partial<Record<HandlingMethod, string>> =
    vendors.data === undefined
      ? {}
      : {
          ...(other === null && { changeVendor: t('problems:orderRule.vendorSame') }),
          ...(!vendors.data.usable.includes(vendorCode) && {
            retrySame: t('problems:orderRule.vendorGone'),
          }),
        }
  const refused =
    offline ??
    unfit[handlingMethod] ??
    (sends && obstacle !== undefined ? t(`problems:orderRule.${obstacle}`) : null)
  return (
    <FormDialog
      isOpen
      width={560}
      title={t('handle.title', { orderId })}
      form={form}
      submitText={t('handle.submit')}
      intent={handlingMethod === 'cancel' ? 'danger' : 'primary'}
      submitRefused={refused}
      onClose={onClose}
    >
      <Figures className="handle-facts">
        <div>
          <dt>{t('transfer.payee')}</dt>
          <dd>{transfer.payeeName}</dd>
        </div>
        <div>
          <dt>{t('transfer.account')}</dt>
          <dd className="tabular">{transfer.account}</dd>
        </div>
        <div className="is-strong">
          <dt>{t('transfer.toPay')}</dt>
          <dd>
            <Money paise={transfer.amount} />
          </dd>
        </div>
        <div>
          <dt>{t('transfer.vendor')}</dt>
          <dd>
            {vendorCode} · {transfer.transferType}
          </dd>
        </div>
        <div className="handle-why">
          <dt>{t('col.failReason')}</dt>
          <dd>{transfer.failReason ?? '—'}</dd>
        </div>
      </Figures>
      <SelectField
        name="handlingMethod"
        label={t('handle.method')}
        options={HANDLING_METHODS.map((value) => ({
          value,
          label: codeWord('handleBy', value, t),
        }))}
      />
      <p className={refused === null ? 'handle-note' : 'handle-note is-warning'} role="status">
        {refused ??
          t(`handle.effect.${handlingMethod}`, {
            vendor: handlingMethod === 'changeVendor' ? (other ?? '') : vendorCode,
          })}
      </p>
      {sends && obstacle === undefined && (preview.data?.toApprove.length ?? 0) > 0 && (
        <p className="handle-note">{t('handle.second')}</p>
      )}
      {handlingMethod === 'manualTransfer' && (
        <TextField name="utr" label={t('transfer.utr')} maxLength={22} help={t('handle.utrHelp')} />
      )}
      <AreaField
        name="remark"
        label={handlingMethod === 'cancel' ? t('handle.reason') : t('handle.remark')}
        rows={2}
        maxLength={200}
      />
    </FormDialog>
  )
}

/** What the customer must put right before money can be sent to an account. */
const OF_THE_ACCOUNT = new Set<FailedTransfer['resend']>([
  'attemptsSpent',
  'cardNotBound',
  'nameSimilarity',
])

/** The form opens with a method that can be submitted. */
function usualMethod({ resend }: FailedTransfer): HandlingMethod {
  return OF_THE_ACCOUNT.has(resend) ? 'customerUpdatesAccount' : 'retrySame'
}

/** The extra fields the selected method requires. */
function neededBy(method: HandlingMethod): ('utr' | 'remark')[] {
  return method === 'manualTransfer' ? ['utr'] : method === 'cancel' ? ['remark'] : []
}
