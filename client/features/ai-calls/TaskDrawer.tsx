/** A task with each call: its end, the promise, and the transcript. */
import './ai-calls.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useLive } from '#client/live/use-live.ts'
import { queryOf } from '#client/session/query.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { aiTaskDetail } from '#shared/ai-calls/ai-calls-api.ts'
import { AI_RESULT, AI_TASK_CHANGED } from '#shared/ai-calls/ai-calls-live.ts'
import { shownState } from './ai-columns.ts'
import { CallEntry } from './CallEntry.tsx'

const EVENTS = [AI_TASK_CHANGED.type, AI_RESULT.type]

export function TaskDrawer({
  taskId,
  onClose,
}: {
  taskId: string
  onClose: () => void
}): ReactNode {
  const t = useText('robot')
  const { data, error, refetch } = useQuery(queryOf(aiTaskDetail, { taskId }))
  useLive(EVENTS, () => void refetch())
  return (
    <SideDrawer isOpen title={t('taskTitle', { taskId })} width={560} onClose={onClose}>
      <div className="ai-task">
        {error && <ErrorPane error={error} onRetry={() => void refetch()} />}
        {!data && !error && <p role="status">{t('ui:grid.loading')}</p>}
        {data && (
          <>
            <p className="ai-head">
              <strong>{data.task.userName}</strong>
              <span>{data.task.orderId}</span>
              <StatusTag tone="neutral">{t(`state.${shownState(data.task)}`)}</StatusTag>
              {data.task.dueTime && (
                <span>
                  {t('col.dueTime')} <IstTime value={data.task.dueTime} />
                </span>
              )}
              {data.task.cause && <span>{t(`cause.${data.task.cause}`)}</span>}
            </p>
            {data.calls.length === 0 && <Empty reason={t('noCalls')} icon="phone" />}
            <ol className="ai-calls">
              {data.calls.map((call) => (
                <CallEntry key={call.callId} call={call} />
              ))}
            </ol>
          </>
        )}
      </div>
    </SideDrawer>
  )
}
