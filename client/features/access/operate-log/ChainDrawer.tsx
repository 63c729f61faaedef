import { useText } from '#client/base/use-text.ts'
import { Callout, ProgressBar } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import { call } from '#client/session/call.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { verifyOperateLog } from '#shared/access/operate-log-api.ts'

/** Verifies the hash chain of the operate log in parts while it is open, and shows the result. */
export function ChainDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const t = useText('access')
  const [part, setPart] = useState<DataOf<typeof verifyOperateLog> | null>(null)
  const [failed, setFailed] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    async function run(): Promise<void> {
      for (let after: number | null = 0; after !== null;) {
        const answer: DataOf<typeof verifyOperateLog> = await call(
          verifyOperateLog,
          { after },
          { quiet: true, signal: stop.signal },
        )
        setPart(answer)
        after = answer.next
      }
    }
    run().catch((error: unknown) => stop.signal.aborted || setFailed(error))
    return () => stop.abort()
  }, [round])
  const isOver = part !== null && part.next === null
  return (
    <SideDrawer isOpen title={t('operateLog.verifyTitle')} onClose={onClose}>
      <div className="access-drawer">
        <p>{t('operateLog.verifyMeans')}</p>
        {failed !== null && (
          <ErrorPane
            error={failed}
            onRetry={() => {
              setFailed(null)
              setRound((now) => now + 1)
            }}
          />
        )}
        {failed === null && !isOver && (
          <ProgressBar
            value={part === null ? 0 : part.checked / Math.max(1, part.total)}
            aria-label={t('operateLog.verify')}
          />
        )}
        {part !== null && !isOver && (
          <p role="status">{t('operateLog.checked', { done: part.checked, total: part.total })}</p>
        )}
        {isOver &&
          (part.brokenAt === null ? (
            <Callout
              intent="success"
              icon="tick-circle"
              role="status"
              title={t('operateLog.whole', { total: part.total - part.removed })}
            >
              {part.removed > 0 && t('operateLog.removed', { no: part.removed })}
            </Callout>
          ) : (
            <Callout
              intent="danger"
              icon="error"
              role="alert"
              title={t('operateLog.broken', { no: part.brokenAt })}
            >
              {t('operateLog.brokenMeans')}
            </Callout>
          ))}
        {isOver && part.waiting > 0 && <p>{t('operateLog.waiting', { n: part.waiting })}</p>}
        {isOver && (
          <section className="operate-log-end">
            <h3>{t('operateLog.end')}</h3>
            <code>
              {part.end.no} · {part.end.hash}
            </code>
            <p>{t('operateLog.endMeans')}</p>
          </section>
        )}
      </div>
    </SideDrawer>
  )
}
