import { Callout, ProgressBar } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import { call } from '#client/session/call.ts'
import { ErrorPane } from '#client/ui/ErrorPane.tsx'
import { SideDrawer } from '#client/ui/SideDrawer.tsx'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { verifyRecords } from '#shared/access/records-api.ts'
import { useSay } from '../use-say.ts'

/** Recomputes the chain of the log part by part while it is open, and says what came of it. */
export function ChainDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const t = useSay()
  const [part, setPart] = useState<DataOf<typeof verifyRecords> | null>(null)
  const [failed, setFailed] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    async function run(): Promise<void> {
      for (let after: number | null = 0; after !== null;) {
        const answer: DataOf<typeof verifyRecords> = await call(
          verifyRecords,
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
    <SideDrawer isOpen title={t('record.verifyTitle')} onClose={onClose}>
      <div className="access-drawer">
        <p>{t('record.verifyMeans')}</p>
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
            aria-label={t('record.verify')}
          />
        )}
        {part !== null && !isOver && (
          <p role="status">{t('record.checked', { done: part.checked, total: part.total })}</p>
        )}
        {isOver &&
          (part.brokenAt === null ? (
            <Callout
              intent="success"
              icon="tick-circle"
              role="status"
              title={t('record.whole', { total: part.total })}
            />
          ) : (
            <Callout
              intent="danger"
              icon="error"
              role="alert"
              title={t('record.broken', { no: part.brokenAt })}
            >
              {t('record.brokenMeans')}
            </Callout>
          ))}
        {isOver && part.waiting > 0 && <p>{t('record.waiting', { n: part.waiting })}</p>}
        {isOver && (
          <section className="record-end">
            <h3>{t('record.end')}</h3>
            <code>
              {part.end.no} · {part.end.hash}
            </code>
            <p>{t('record.endMeans')}</p>
          </section>
        )}
      </div>
    </SideDrawer>
  )
}
