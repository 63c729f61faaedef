/** One line above the panes that explains the state of the workspace. */
import { type Text, useText } from '#client/base/use-text.ts'
import { holderNameOf } from '#client/live/lease-knowledge.ts'
import type { ReactNode } from 'react'
import { useExpiring } from '#client/live/use-expiring.ts'
import { Banner, type BannerMessage } from '#client/ui/feedback/Banner.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { useSession } from '#client/session/session-store.ts'
import type { ReviewDetail } from '../review-types.ts'
import { isBlankDraft, type Draft } from './draft.ts'
import { hasOpenFailed, isHolder } from './review-desk-machine.ts'
import type { Desk } from './use-desk.ts'

interface BannerProps {
  detail: ReviewDetail
  desk: Desk
  draft: Draft
  isRestored: boolean
  /** Result shown after the claim ended. */
  left: string | null
  onNext: (() => Promise<unknown>) | null
}

export function DeskBanner(props: BannerProps): ReactNode {
  return <Banner message={useMessage(props)} />
}

function useMessage({
  detail,
  desk,
  draft,
  isRestored,
  left,
  onNext,
}: BannerProps): BannerMessage | null {
  const t = useText('review')
  const isExpiring = useExpiring(desk.leaseUntil, isHolder(desk.known))
  const { known, place } = desk
  const { user } = useSession()
  const named = holderNameOf(known)
  // another window of the same person may hold it
  const holder = named === user.userName ? null : named
  const notes = isBlankDraft(draft) ? '' : ` ${t('banner.notesKept')}`
  const next = onNext && (
    <ActionButton size="small" text={t('action.next')} keys="G" onClick={onNext} />
  )
  if (known.cancelled || (known.finished && known.state !== 'passed' && known.state !== 'failed'))
    return {
      tone: 'bad',
      icon: 'ban-circle',
      text: t('banner.cancelled'),
      isUrgent: known.ownToken > 0,
      action: next,
    }
  if (place === 'lost')
    return {
      tone: 'bad',
      icon: 'lock',
      text: (holder ? t('banner.takenBy', { name: holder }) : endedText(t, desk)) + notes,
      isUrgent: true,
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
  if (place === 'opening' && hasOpenFailed(known))
    return {
      tone: 'warn',
      icon: 'warning-sign',
      text: t('banner.openFailed'),
      action: <ActionButton size="small" text={t('action.retryOpen')} onClick={desk.retry} />,
    }
  if (isExpiring)
    return { tone: 'warn', icon: 'stopwatch', text: t('banner.expiring'), isUrgent: true }
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

/** By the cause, when it was the end of the own claim. */
function endedText(t: Text, { known: { ended, ownToken } }: Desk): string {
  return ended.token > ownToken
    ? t(`banner.ended.${ended.cause}`, { defaultValue: t('banner.leaseOver') })
    : t('banner.leaseOver')
}

function goneText(t: Text, { review }: ReviewDetail, { known }: Desk): string {
  // A passed review may still fail a pre-disbursement check.
  if (known.state === 'failed' && review.manualResult === 'passed')
    return t('banner.gone.checkFailed')
  const state = known.missing ? 'missing' : (known.state ?? 'missing')
  return t(`banner.gone.${state}`, { defaultValue: t('banner.gone.missing') })
}
