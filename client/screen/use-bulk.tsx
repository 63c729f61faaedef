/**
 * Runs a bulk action and reports the result: how many rows are done, and in a drawer the state of
 * each, which opens by itself when some were refused, a job does them or no answer came.
 */
import { type ReactNode, useState } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { CallError, isUnanswered, messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import type { BulkResult } from '#shared/kernel/page.ts'

// a drawer, which few actions come to need
const BulkDrawer = lazyPart(() =>
  import('./BulkDrawer.tsx').then((m) => ({ default: m.BulkDrawer })),
)

type Send = (ids: string[]) => Promise<BulkResult>

export interface BulkOptions {
  /** i18n key of its messages. */
  key: string
  /** The feature's own text; default "n rows done". */
  done?: (count: number) => string
  /** Called whenever something may have changed. */
  onDone: () => void
  /** Called when the drawer has opened by itself. */
  onOpened?: () => void
  /**
   * For a form that goes with its last question: it stays mounted while the drawer is open, and goes
   * when this is called. Rows that are all done are then not offered to be looked at.
   */
  onClosed?: () => void
}

export interface Bulk {
  /**
   * @param inline a form shows the refusal of its only row itself
   * @param done the message instead
   * @throws CallError when the only row was refused: the dialog stays open, because another reason
   * or person may succeed
   */
  run: (
    ids: readonly string[],
    send: Send,
    inline?: boolean,
    done?: (count: number) => string,
  ) => Promise<void>
  /** The drawer with every row, while it is open. */
  drawer: ReactNode
}

interface Run {
  ids: readonly string[]
  result: BulkResult
  send: Send
  done: ((count: number) => string) | undefined
}

export function useBulk({ key, done: ownDone, onDone, onOpened, onClosed }: BulkOptions): Bulk {
  const t = useText('ui')
  const [left, setLeft] = useState<Run | null>(null)

  async function take(ids: readonly string[], send: Send, done: Run['done']): Promise<BulkResult> {
    const result = await send([...ids]).catch((error: unknown): BulkResult => {
      if (ids.length === 1 || !isUnanswered(error)) throw error
      // without a code: bulk-rows.ts
      return { ok: [], failed: ids.map((id) => ({ id, code: 0, msg: '' })) }
    })
    const run = { ids, result, send, done }
    const isWhole = result.jobId === undefined && result.failed.length === 0
    if (ids.length > 1) setLeft(isWhole ? null : run)
    const message =
      result.jobId !== undefined
        ? t('bulk.job', { count: ids.length - result.failed.length })
        : result.ok.length > 0
          ? (done?.(result.ok.length) ?? t('bulk.done', { count: result.ok.length }))
          : null
    if (message !== null)
      void showMessage({
        intent: result.jobId === undefined ? 'success' : 'primary',
        message,
        key,
        ...(isWhole && ids.length > 1 && onClosed === undefined
          ? { action: { text: t('bulk.show'), onClick: () => setLeft(run) } }
          : {}),
      })
    return result
  }
  function close(): void {
    setLeft(null)
    onClosed?.()
  }
  return {
    async run(ids, send, inline = false, done = ownDone) {
      const { failed, jobId } = await take(ids, send, done)
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
      onDone()
      if (ids.length > 1 && (jobId !== undefined || failed.length > 0)) onOpened?.()
    },
    drawer: left && (
      <BulkDrawer
        run={left}
        onAgain={async (ids) => {
          const { failed, jobId } = await take(ids, left.send, left.done)
          if (ids.length === 1 || (jobId === undefined && failed.length === 0)) close()
          onDone()
        }}
        onClose={close}
      />
    ),
  }
}
