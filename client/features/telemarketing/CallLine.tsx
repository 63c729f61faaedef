/** The call button, and before it why a call is refused now and when that ends. */
import { Icon } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { problemText } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { useSecond } from '#client/ui/value/clock.ts'
import { Countdown } from '#client/ui/value/Countdown.tsx'
import { callTask } from '#shared/telemarketing/tele-api.ts'
import { promotionGate } from '#shared/telemarketing/promotion-gate.ts'
import type { TaskDetail } from './tele-types.ts'

export function CallLine({
  detail: { task, promotion, openCallId },
  onCalled,
}: {
  detail: TaskDetail
  onCalled: () => void
}): ReactNode {
  const t = useText('telemarketing')
  const { reason: offline } = useConnection()
  const send = useSend(callTask)
  const second = useSecond()
  const refusal =
    openCallId === null ? promotionGate(promotion, new Date(second).toISOString()) : null
  const reason =
    refusal === null
      ? null
      : (problemText({ id: refusal.problem.id, params: refusal.params }) ?? refusal.problem.msg)
  const press = async () => {
    const { seatNumber } = await send.mutateAsync({ taskId: task.taskId, token: task.token })
    void showMessage({
      intent: 'success',
      message: t('done.called', { seatNumber }),
      key: 'tele-call',
    })
    onCalled()
  }
  return (
    <div className="tele-call">
      <ActionButton
        icon="phone"
        intent={openCallId === null ? 'primary' : 'none'}
        text={openCallId === null ? t('action.call') : t('action.called')}
        disabledReason={offline ?? reason ?? (openCallId === null ? null : t('desk.openCall'))}
        onClick={press}
      />
      {reason !== null && (
        <span className="tele-refusal" role="status">
          <Icon icon="ban-circle" /> {reason}
        </span>
      )}
      {refusal?.openTime && <Countdown until={refusal.openTime} label={t('desk.opensIn')} />}
    </div>
  )
}
