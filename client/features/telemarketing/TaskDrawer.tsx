/** The desk of one customer: who they are, whether they may be called, and the follow-up. */
import { Button } from '@blueprintjs/core'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useExpiring } from '#client/live/use-expiring.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { CallError } from '#client/session/call-error.ts'
import { useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { Banner, type BannerMessage } from '#client/ui/feedback/Banner.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { useLeaveGuard } from '#client/ui/form/FormBody.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { Countdown } from '#client/ui/value/Countdown.tsx'
import { Timeline } from '#client/ui/value/Timeline.tsx'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
import { releaseTask } from '#shared/telemarketing/tele-api.ts'
import { CallLine } from './CallLine.tsx'
import { FollowForm } from './FollowForm.tsx'
import { TaskFacts } from './TaskFacts.tsx'
import { resultText } from './tele-columns.ts'
import type { TaskDetail, TeleRow } from './tele-types.ts'
import { type TaskNow, useTask } from './use-task.ts'

interface TaskDrawerProps {
  taskId: string
  onRow: (row: TeleRow) => void
  onClose: () => void
}

export function TaskDrawer({ taskId, onRow, onClose }: TaskDrawerProps): ReactNode {
  const t = useText('telemarketing')
  const { user } = useSession()
  const now = useTask(taskId, user.userId)
  const { detail, error } = now
  const isMissing = error instanceof CallError && error.problem?.id === NOT_FOUND.id
  const message = useMessage(now, user.userId)
  const [isDirty, setDirty] = useState(false)
  const { leave, question } = useLeaveGuard(isDirty, onClose)
  return (
    <SideDrawer
      isOpen
      width={620}
      title={t('desk.title', { taskId })}
      onClose={leave}
      canOutsideClickClose={!isDirty}
    >
      <Banner message={message} />
      {detail ? (
        <Look
          now={now}
          detail={detail}
          userId={user.userId}
          onDirty={setDirty}
          onRow={onRow}
          onLeave={leave}
          onClose={onClose}
        />
      ) : isMissing ? (
        <Empty icon="search" reason={t('desk.missing')} />
      ) : error ? (
        <ErrorPane error={error} onRetry={now.reread} />
      ) : (
        <div className="bp6-skeleton tele-blank" role="status" aria-label={t('ui:grid.loading')} />
      )}
      {question}
    </SideDrawer>
  )
}

function useMessage({ detail, isLost, leaseUntil }: TaskNow, userId: string): BannerMessage | null {
  const t = useText('telemarketing')
  const task = detail?.task
  const isExpiring = useExpiring(leaseUntil, task?.assigneeId === userId)
  if (task?.state === 'converted')
    return { tone: 'good', icon: 'tick-circle', text: t('banner.converted') }
  if (task?.state === 'expired')
    return {
      tone: 'info',
      icon: 'time',
      text: t(`banner.closed.${task.closeCause ?? 'left'}`),
    }
  if (isLost) return { tone: 'bad', icon: 'lock', text: t('banner.lost'), isUrgent: true }
  if (isExpiring)
    return { tone: 'warn', icon: 'stopwatch', text: t('banner.expiring'), isUrgent: true }
  return null
}

function Look({
  now,
  detail,
  userId,
  onDirty,
  onRow,
  onLeave,
  onClose,
}: {
  now: TaskNow
  detail: TaskDetail
  userId: string
  onDirty: (isDirty: boolean) => void
  onRow: (row: TeleRow) => void
  /** Confirms first when something is not saved. */
  onLeave: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('telemarketing')
  const { reason: offline } = useConnection()
  const release = useSend(releaseTask)
  const { task, records, openCall } = detail
  const isMine =
    task.assigneeId === userId && (task.state === 'claimed' || task.state === 'assigned')
  const desk = useDeskFocus(isMine, openCall?.callId ?? null)
  useShortcuts(
    'screen',
    isMine
      ? [
          {
            id: 'tele-form',
            code: 'KeyF',
            labelKey: 'telemarketing:desk.toForm',
            run: () => focusResult(desk.current),
            inDialog: true,
          },
        ]
      : [],
  )
  const giveBack = async () => {
    const { taskId, version, token } = task
    onRow(await release.mutateAsync({ taskId, version, token }))
    onClose()
  }
  return (
    <div className="tele-desk" ref={desk}>
      <div className="tele-look">
        <TaskFacts task={task} />
        {isMine && (
          <div className="tele-bar">
            <CallLine detail={detail} onCalled={now.reread} />
            {now.leaseUntil !== null && (
              <Countdown until={now.leaseUntil} label={t('desk.lease')} onEnd={now.reread} />
            )}
            <ActionButton
              icon="undo"
              text={t('action.release')}
              disabledReason={offline}
              onClick={giveBack}
            />
          </div>
        )}
        <h2 className="tele-head">{t('desk.records')}</h2>
        <Timeline
          label={t('desk.records')}
          items={records.map((record) => ({
            id: record.recordId,
            at: record.time,
            title: resultText(record.result, t),
            actor: record.operatorName,
            detail: record.remark,
          }))}
        />
      </div>
      {isMine ? (
        <FollowForm
          key={`${task.taskId} ${task.token}`}
          detail={detail}
          onDirty={onDirty}
          onDone={(row) => {
            onRow(row)
            onClose()
          }}
          onCancel={onLeave}
        />
      ) : (
        <div className="form-buttons">
          <Button text={t('ui:form.close')} onClick={onClose} />
        </div>
      )}
    </div>
  )
}

/**
 * The focus is on the call until it was made, and on its result afterwards. Also while the call
 * is refused: in the result its key would be a letter when the hours begin.
 */
function useDeskFocus(isMine: boolean, callId: string | null): RefObject<HTMLDivElement | null> {
  const desk = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isMine) return
    const call = desk.current?.querySelector<HTMLElement>('.tele-call button')
    if (callId === null && call) call.focus()
    else focusResult(desk.current)
  }, [isMine, callId])
  return desk
}

function focusResult(desk: HTMLElement | null): void {
  desk?.querySelector<HTMLElement>('select[name=result]')?.focus()
}
