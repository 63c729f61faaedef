/**
 * Writes off many orders in one request, pasted or from a sheet. A preview checks every row first;
 * another person approves, and a job writes off the rows.
 */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import { downloadFile } from '#client/session/file.ts'
import { type CallError, messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
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
  const ask = useSend(batchWriteOff)
  const input = useRef<HTMLInputElement>(null)
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
    const { approvalId, count, excludedCount: since } = await ask.mutateAsync({ orderIds, reason })
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
      <div className="confirm-field">
        <label htmlFor="batch-orders">{t('batch.orders')}</label>
        <textarea
          id="batch-orders"
          className="bp6-input"
          rows={4}
          value={list}
          placeholder="L10000001"
          aria-describedby="batch-orders-help"
          onChange={(event) => change(event.target.value, file)}
        />
        <p id="batch-orders-help" className="money-hint">
          {t('batch.ordersHelp')}
        </p>
      </div>
      <div className="batch-sheet">
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          accept=".xlsx,.csv"
          aria-label={t('batch.file')}
          onChange={(event) => {
            change(list, event.target.files?.[0] ?? null)
            event.target.value = ''
          }}
        />
        <Button
          size="small"
          icon="upload"
          text={t('batch.file')}
          onClick={() => input.current?.click()}
        />
        {file ? (
          <span className="batch-name">
            {file.name}{' '}
            <Button
              variant="minimal"
              size="small"
              icon="cross"
              aria-label={t('batch.remove', { name: file.name })}
              title={t('batch.remove', { name: file.name })}
              onClick={() => change(list, null)}
            />
          </span>
        ) : null}
        <span className="batch-template">
          <Button
            variant="minimal"
            size="small"
            icon="download"
            text={t('batch.template', { format: 'XLSX' })}
            onClick={() => void template('xlsx')}
          />
          <Button
            variant="minimal"
            size="small"
            icon="download"
            text={t('batch.template', { format: 'CSV' })}
            onClick={() => void template('csv')}
          />
        </span>
      </div>
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
    <div className="money-note is-warning batch-excluded" role="status" tabIndex={0}>
      <strong>{t('batch.excluded', { n: excludedCount })}</strong>
      <dl>
        {LEFT_OUT.map((why) => ({
          why,
          ids: excluded.filter((one) => one.why === why).map((one) => one.orderId),
        }))
          .filter(({ ids }) => ids.length > 0)
          .map(({ why, ids }) => (
            <div key={why}>
              <dt>
                {t(`batch.why.${why}`)} ({ids.length})
              </dt>
              <dd className="tabular">{ids.join(', ')}</dd>
            </div>
          ))}
      </dl>
      {excludedCount > excluded.length && (
        <p>{t('batch.more', { n: excludedCount - excluded.length })}</p>
      )}
    </div>
  )
}
