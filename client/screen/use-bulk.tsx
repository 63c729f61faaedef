/**
 * Runs a bulk action and reports the result: how many rows are done, or that a job does them, and
 * which were refused, with a way to run those again.
 */
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { RefusedRows } from './RefusedRows.tsx'

type Send = (ids: string[]) => Promise<BulkResult>

export interface BulkOptions {
  /** i18n key of its messages. */
  key: string
  /** The feature's own text; default "n rows done". */
  done?: (count: number) => string
  /** Called whenever something may have changed. */
  onDone: () => void
}

export interface Bulk {
  /**
   * @param inline a form shows the refusal of its only row itself
   * @throws CallError when the only row was refused: the dialog stays open, because another reason
   * or person may succeed
   */
  run: (ids: readonly string[], send: Send, inline?: boolean) => Promise<void>
  /** The refused rows, if any. */
  refused: ReactNode
}

export function useBulk({ key, done, onDone }: BulkOptions): Bulk {
  const { t } = useTranslation('ui')
  const [left, setLeft] = useState<{ failed: BulkResult['failed']; send: Send } | null>(null)

  async function take(ids: readonly string[], send: Send): Promise<BulkResult> {
    const result = await send([...ids])
    const said =
      result.jobId !== undefined
        ? t('bulk.job', { count: ids.length - result.failed.length })
        : result.ok.length > 0
          ? (done?.(result.ok.length) ?? t('bulk.done', { count: result.ok.length }))
          : null
    if (said !== null)
      void showMessage({
        intent: result.jobId === undefined ? 'success' : 'primary',
        message: said,
        key,
      })
    return result
  }
  return {
    async run(ids, send, inline = false) {
      const { failed } = await take(ids, send)
      const [only] = failed
      if (ids.length === 1 && only) {
        const refusal = new CallError('refused', {
          code: only.code,
          msg: only.msg,
          problem: only.problem ? { id: only.problem, params: only.params ?? {} } : null,
        })
        if (!inline)
          void showMessage({
            intent: only.code === 400 ? 'warning' : 'danger',
            message: messageOf(refusal),
          })
        throw refusal
      }
      setLeft(failed.length > 0 ? { failed, send } : null)
      onDone()
    },
    refused: (
      <RefusedRows
        failed={left?.failed ?? []}
        onAgain={async (ids) => {
          if (left === null) return
          const { failed } = await take(ids, left.send)
          setLeft(failed.length > 0 ? { failed, send: left.send } : null)
          onDone()
        }}
        onClose={() => setLeft(null)}
      />
    ),
  }
}
