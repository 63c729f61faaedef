/** The buttons of a contact, and beside them why it is refused now and when that ends. */
import { Icon } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { CallState } from '#client/features/voice-calls/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { problemText } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { useSecond } from '#client/ui/value/clock.ts'
import { Countdown } from '#client/ui/value/Countdown.tsx'
import { callTask } from '#shared/telemarketing/tele-api.ts'
import { promotionGate, type PromotionRefusal } from '#shared/telemarketing/promotion-gate.ts'
import type { ContactWay } from '#shared/telemarketing/tele-sets.ts'
import type { TaskDetail } from './tele-types.ts'

export function CallLine({
  detail: { task, promotion, whatsapp, openCall },
  onCalled,
}: {
  detail: TaskDetail
  onCalled: () => void
}): ReactNode {
  const t = useText('telemarketing')
  const { reason: offline } = useConnection()
  const send = useSend(callTask)
  const second = useSecond()
  const [isConfirming, setConfirming] = useState(false)
  const now = new Date(second).toISOString()
  const refusal = openCall === null ? promotionGate(promotion, now) : null
  const reason = wordsOf(refusal)
  const running = openCall === null ? null : t('desk.openCall')
  const noWhatsapp =
    whatsapp === 'none'
      ? t('desk.noWhatsapp')
      : wordsOf(openCall === null ? promotionGate(promotion, now, 'whatsapp') : null)
  const press = async (way: ContactWay) => {
    const { taskId, token } = task
    const { seatNumber, link } = await send.mutateAsync({ taskId, token, way })
    if (link !== null) window.open(link, '_blank', 'noopener,noreferrer')
    else
      void showMessage({
        intent: 'success',
        message: t(`done.called.${way}`, { seatNumber: seatNumber ?? '' }),
        key: 'tele-call',
      })
    onCalled()
  }
  const refusedBy = {
    phone: offline ?? reason ?? running,
    whatsapp: offline ?? noWhatsapp ?? running,
  }
  const may = (way: ContactWay) => !isConfirming && !send.isPending && refusedBy[way] === null
  useShortcuts('screen', [
    {
      id: 'tele-call',
      code: 'KeyC',
      labelKey: 'telemarketing:action.call',
      when: () => may('phone'),
      // the call layer shows why it was refused
      run: () => void press('phone').catch(() => undefined),
      inDialog: true,
    },
    {
      id: 'tele-whatsapp',
      code: 'KeyW',
      labelKey: 'telemarketing:way.whatsapp',
      when: () => may('whatsapp'),
      run: () => setConfirming(true),
      inDialog: true,
    },
  ])
  return (
    <div className="tele-call">
      <ActionButton
        icon="phone"
        intent={openCall === null ? 'primary' : 'none'}
        text={openCall?.way === 'phone' ? t('action.called') : t('action.call')}
        disabledReason={refusedBy.phone}
        keys="C"
        onClick={() => press('phone')}
      />
      <ActionButton
        icon="chat"
        text={openCall?.way === 'whatsapp' ? t('action.wrote') : t('way.whatsapp')}
        disabledReason={refusedBy.whatsapp}
        keys="W"
        onClick={() => setConfirming(true)}
      />
      <ConfirmAction
        isOpen={isConfirming}
        intent="warning"
        title={t('desk.askWhatsapp')}
        confirmText={t('way.whatsapp')}
        onConfirm={() => press('whatsapp')}
        onClose={() => setConfirming(false)}
      >
        <p>{t(whatsapp === 'line' ? 'desk.whatsappByLine' : 'desk.whatsappByLink')}</p>
      </ConfirmAction>
      {reason !== null && (
        <span className="tele-refusal" role="status">
          <Icon icon="ban-circle" /> {reason}
        </span>
      )}
      {openCall?.exchange && (
        <span role="status">
          <CallState call={openCall.exchange} />
        </span>
      )}
      {refusal?.openTime && <Countdown until={refusal.openTime} label={t('desk.opensIn')} />}
    </div>
  )
}

function wordsOf(refusal: PromotionRefusal | null): string | null {
  if (refusal === null) return null
  const { problem, params } = refusal
  return problemText({ id: problem.id, params }) ?? problem.msg
}
