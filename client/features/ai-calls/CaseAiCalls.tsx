/** Calls of the robot in a case: its tasks with their state, and each call with its transcript. */
import './ai-calls.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryOf } from '#client/session/query.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { caseAiCalls } from '#shared/ai-calls/ai-calls-api.ts'
import { AI_RESULT, AI_TASK_CHANGED } from '#shared/ai-calls/ai-calls-live.ts'
import { CallEntry } from './CallEntry.tsx'
import { RESULT_TONES, shownState, STATE_TONES } from './ai-columns.ts'
import type { CaseAiTask } from './ai-types.ts'

const EVENTS = [AI_TASK_CHANGED.type, AI_RESULT.type]

export function CaseAiCalls({ caseId }: { caseId: string }): ReactNode {
  const t = useText('robot')
  const { data, error, refetch } = useQuery(queryOf(caseAiCalls, { caseId }, { quiet: true }))
  const reread = useThrottled(useCallback(() => void refetch(), [refetch]))
  useLive(EVENTS, (events) => {
    if (events.some((event) => (event.data as { caseId: string | null }).caseId === caseId))
      reread()
  })
  if (!data)
    return error ? (
      <ErrorPane error={error} onRetry={reread} />
    ) : (
      <p role="status">{t('ui:grid.loading')}</p>
    )
  if (data.tasks.length === 0) return <Empty reason={t('noTasks')} icon="phone" />
  return (
    <ol className="ai-case">
      {data.tasks.map((task) => (
        <Task key={task.taskId} task={task} />
      ))}
    </ol>
  )
}

function Task({ task }: { task: CaseAiTask }): ReactNode {
  const t = useText('robot')
  const state = shownState(task)
  return (
    <li aria-label={t('taskTitle', { taskId: task.taskId })}>
      <p className="ai-head">
        <StatusTag tone={STATE_TONES[state]}>{t(`state.${state}`)}</StatusTag>
        {task.result !== null && (
          <StatusTag tone={RESULT_TONES[task.result]}>{t(`result.${task.result}`)}</StatusTag>
        )}
        {task.cause !== null && <span>{t(`cause.${task.cause}`)}</span>}
        {task.dueTime !== null && (
          <span>
            {t('col.dueTime')} <IstTime value={task.dueTime} />
          </span>
        )}
      </p>
      <p className="ai-help">
        {task.robotName} · {t('col.createTime')} <IstTime value={task.createTime} />
        {task.calls.length === 0 && <> · {t('noCalls')}</>}
      </p>
      <ol className="ai-calls">
        {task.calls.map((call) => (
          <CallEntry key={call.callId} call={call} />
        ))}
      </ol>
    </li>
  )
}
