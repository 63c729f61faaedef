/**
 * Writes off many orders in one request, pasted or from a sheet. A preview checks every row first;
 * another person approves, and a job writes off the rows.
 */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import { type ReactNode, useState } from 'react'
import { downloadFile } from '#client/session/file.ts'
import { type CallError, messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { LeftOut, ListOrSheet } from '#client/ui/form/ListOrSheet.tsx'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { LEFT_OUT } from '#shared/repayments/write-off-sets.ts'
import {
  batchWriteOff,
  previewBatchWriteOff,
  writeOffTemplate,
} from '#shared/repayments/write-offs-api.ts'

type Preview = DataOf<typeof previewBatchWriteOff>

export function BatchWriteOffForm({ onClose }: { onClose: () => void }): ReactNode {
  const t = useText('repayments')
  const look = useSend(previewBatchWriteOff)
  const request = useSend(batchWriteOff)
  const [list, setList] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const isReady = preview !== null && preview.orderIds.length > 0

  function change(text: string, sheet: File | null): void {
    setList(text)
    setFile(sheet)
    setPreview(null)
  }
  /** The dialog stays open behind it: a second press confirms the previewed rows. */
  async function check(): Promise<never> {
    if (list.trim() === '' && file === null)
      void showMessage({ intent: 'warning', message: t('batch.none'), key: 'batch:none' })
    else {
      const given = { list, ...(file === null ? {} : { file: [file] }) }
      setPreview(await look.mutateAsync(given))
    }
    throw new Error('not asked yet')
  }
  async function send({ orderIds, excludedCount }: Preview, reason: string): Promise<void> {
    const {
      approvalId,
      count,
      excludedCount: since,
    } = await request.mutateAsync({ orderIds, reason })
    const excluded = excludedCount + since
    void showMessage({
      intent: excluded > 0 ? 'warning' : 'success',
      message:
        excluded > 0
          ? t('batch.doneWithout', { approvalId, n: count, excluded })
          : t('batch.done', { approvalId, n: count }),
      key: `approval:${approvalId}`,
    })
  }
  const template = (format: 'xlsx' | 'csv') =>
    downloadFile(writeOffTemplate, { format, title: t('col.orderId') }).catch((error: unknown) =>
      showMessage({ intent: 'warning', message: messageOf(error as CallError), key: 'download' }),
    )
  return (
    <ConfirmAction
      isOpen
      intent={isReady ? 'danger' : 'primary'}
      title={t('batch.title')}
      {...(isReady
        ? {
            count: preview.orderIds.length,
            amount: preview.total,
            irreversible: [t('batch.effect')],
            reason: { min: 4, max: 200 },
          }
        : {})}
      confirmText={isReady ? t('batch.submit') : t('batch.check')}
      onConfirm={(reason) => (isReady ? send(preview, reason) : check())}
      onClose={onClose}
    >
      <ListOrSheet
        id="batch-orders"
        label={t('batch.orders')}
        help={t('batch.ordersHelp')}
        placeholder="L10000001"
        list={list}
        file={file}
        onChange={change}
        onTemplate={(format) => void template(format)}
      />
      {preview && <Excluded preview={preview} />}
    </ConfirmAction>
  )
}

/** Every excluded row, under its reason. */
function Excluded({
  preview: { orderIds, excluded, excludedCount },
}: {
  preview: Preview
}): ReactNode {
  const t = useText('repayments')
  if (excludedCount === 0)
    return (
      <p className="money-note" role="status">
        {t('batch.all', { n: orderIds.length })}
      </p>
    )
  return (
    <LeftOut
      title={t('batch.excluded', { n: excludedCount })}
      groups={LEFT_OUT.map((why) => ({
        reason: t(`batch.why.${why}`),
        ids: excluded.filter((one) => one.why === why).map((one) => one.orderId),
      }))}
      more={
        excludedCount > excluded.length
          ? t('batch.more', { n: excludedCount - excluded.length })
          : null
      }
    />
  )
}
