/** One line above the panes that explains the state of the workspace. */
import { type Text, useText } from '#client/base/use-text.ts'
import { Icon, type IconName } from '@blueprintjs/core'
import { type ReactNode, useEffect } from 'react'
import { alarm } from '#client/ui/feedback/announce.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { useSecond } from '#client/ui/value/clock.ts'
import type { ReviewDetail } from '../review-types.ts'
import { isBlankDraft, type Draft } from './draft.ts'
import { holderNameOf, isHolder } from './review-desk-machine.ts'
import type { Desk } from './use-desk.ts'

const WARNING_MS = 60_000

interface BannerProps {
  detail: ReviewDetail
  desk: Desk
  draft: Draft
  isRestored: boolean
  /** Result shown after the claim ended. */
  left: string | null
  onNext: (() => Promise<unknown>) | null
}

interface Message {
  tone: 'bad' | 'warn' | 'good' | 'info'
  icon: IconName
  text: string
  /** Announced assertively, because it stops the work. */
  urgent?: boolean
  action?: ReactNode
}

export function DeskBanner(props: BannerProps): ReactNode {
  const message = useMessage(props)
  const text = message?.text ?? ''
  const urgent = message?.urgent ?? false
  useEffect(() => {
    if (urgent) alarm(text)
  }, [text, urgent])
  if (!message) return null
  return (
    <div className={`desk-banner banner-${message.tone}`} role="status">
      <Icon icon={message.icon} /> <span>{message.text}</span>
      {message.action}
    </div>
  )
}

function useMessage({
  detail,
  desk,
  draft,
  isRestored,
  left,
  onNext,
}: BannerProps): Message | null {
  const t = useText('review')
  const expiring = useExpiring(desk)
  const { known, place } = desk
  const holder = holderNameOf(known)
  const notes = isBlankDraft(draft) ? '' : ` ${t('banner.notesKept')}`
  const next = onNext && (
    <ActionButton size="small" text={t('action.next')} keys="G" onClick={onNext} />
  )
  if (known.cancelled || (known.finished && known.state !== 'passed' && known.state !== 'failed'))
    return {
      tone: 'bad',
      icon: 'ban-circle',
      text: t('banner.cancelled'),
      urgent: known.ownToken > 0,
      action: next,
    }
  if (place === 'lost')
    return {
      tone: 'bad',
      icon: 'lock',
      text: (holder ? t('banner.takenBy', { name: holder }) : t('banner.leaseOver')) + notes,
      urgent: true,
      action: next,
    }
  if (place === 'gone')
    return {
      tone: left === 'failed' ? 'warn' : 'good',
      icon: 'tick-circle',
      text:
        left && left !== 'moved'
          ? `${goneText(t, detail, desk)} ${t(`banner.left.${left}`)}`
          : goneText(t, detail, desk),
      action: next,
    }
  if (desk.offline !== null && (place === 'deciding' || place === 'opening'))
    return { tone: 'warn', icon: 'offline', text: `${desk.offline}.${notes}` }
  if (place === 'opening' && known.openFailed >= known.token)
    return {
      tone: 'warn',
      icon: 'warning-sign',
      text: t('banner.openFailed'),
      action: <ActionButton size="small" text={t('action.retryOpen')} onClick={desk.retry} />,
    }
  if (expiring !== null)
    return { tone: 'warn', icon: 'stopwatch', text: t('banner.expiring'), urgent: true }
  if (known.unanswered.length > 0 && place === 'deciding')
    return { tone: 'warn', icon: 'warning-sign', text: t('decide.unanswered') }
  if (detail.review.dataUntil && known.state === 'dataModifiable')
    return { tone: 'info', icon: 'time', text: t('banner.waitsForData') }
  if (place === 'viewing' && holder && (known.state === 'toAudit' || known.state === 'underReview'))
    return { tone: 'info', icon: 'eye-open', text: t('banner.readOnly', { name: holder }) }
  if (isRestored && place === 'deciding' && !isBlankDraft(draft))
    return { tone: 'info', icon: 'saved', text: t('banner.restored') }
  return null
}

function goneText(t: Text, { review }: ReviewDetail, { known }: Desk): string {
  // A passed review may still fail a pre-disbursement check.
  if (known.state === 'failed' && review.manualResult === 'passed')
    return t('banner.gone.checkFailed')
  const state = known.missing ? 'missing' : (known.state ?? 'missing')
  return t(`banner.gone.${state}`, { defaultValue: t('banner.gone.missing') })
}

/** The lease ends within a minute because of inactivity, although the tab sends heartbeats. */
function useExpiring({ known, leaseUntil }: Desk): string | null {
  const second = useSecond()
  if (leaseUntil === null || !isHolder(known)) return null
  const left = Date.parse(leaseUntil) - second
  return left > 0 && left <= WARNING_MS ? leaseUntil : null
}
