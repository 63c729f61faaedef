/** One task in the desk: read once, and again when something happened to it. */
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { CLIENT_ID } from '#client/session/ids.ts'
import { recordQueryOf } from '#client/session/query.ts'
import { taskDetail } from '#shared/telemarketing/tele-api.ts'
import { VOICE_CALL_CHANGED } from '#shared/voice-calls/voice-calls-live.ts'
import { TELE_LIST_EVENTS } from './tele-apply.ts'
import { onTeleLease, trackTasks } from './tele-lease.ts'
import type { TaskDetail } from './tele-types.ts'

const TASK_EVENTS = [...TELE_LIST_EVENTS, VOICE_CALL_CHANGED.type]

export interface TaskNow {
  detail: TaskDetail | undefined
  error: unknown
  reread: () => void
  /** The user had the task in this drawer and has lost it. */
  isLost: boolean
  /** The end of the lease by the newest heartbeat; null without one. */
  leaseUntil: string | null
}

export function useTask(taskId: string, userId: string): TaskNow {
  const { data, error, refetch } = useQuery(recordQueryOf(taskDetail, { taskId }))
  const reread = useCallback(() => void refetch(), [refetch])
  const soon = useThrottled(reread)
  const [renewed, setRenewed] = useState({ token: 0, leaseUntil: '' })
  const [lostToken, setLostToken] = useState(0)
  const task = data?.task
  const isMine = task?.assigneeId === userId

  useEffect(() => {
    if (task) trackTasks([task])
  }, [task])
  useLive(TASK_EVENTS, (events) => {
    const own = events.filter((event) => event.data.taskId === taskId)
    if (own.length === 0) return
    for (const { clientId, data: change } of own)
      if (clientId !== CLIENT_ID && change.fromUserId === userId && change.toUserId !== userId)
        setLostToken(Number(change.token))
    soon()
  })
  useEffect(
    () =>
      onTeleLease((lease) => {
        if (lease.id !== taskId) return
        if (lease.type === 'RENEWED') setRenewed(lease)
        else {
          setLostToken(lease.token + 1)
          soon()
        }
      }),
    [taskId, soon],
  )
  const isRenewed = renewed.leaseUntil !== '' && renewed.token === task?.token
  return {
    detail: data,
    error,
    reread,
    isLost: !isMine && lostToken > 0,
    leaseUntil: task?.leaseUntil == null ? null : isRenewed ? renewed.leaseUntil : task.leaseUntil,
  }
}
