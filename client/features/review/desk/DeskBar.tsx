/** The review and its customer, the remaining lease time and the queue figures. */
import { useText } from '#client/base/use-text.ts'
import { holderNameOf } from '#client/live/lease-knowledge.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import { CustomerLink } from '#client/features/customers/public.tsx'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { useSecond } from '#client/ui/value/clock.ts'
import { Countdown } from '#client/ui/value/Countdown.tsx'
import { durationText, waitText } from '#client/ui/value/duration-text.ts'
import { LifecycleStrip } from '#client/ui/value/LifecycleStrip.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { Presence } from '#client/ui/value/Presence.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import {
  can,
  type QueueStats,
  type ReviewCounts,
  type ReviewDetail,
  type Viewer,
} from '../review-types.ts'
import { stateTone } from '../review-words.ts'
import { WAIT_BAD_MS, WAIT_WARN_MS } from '../list/review-cells.ts'
import { isHolder } from './review-desk-machine.ts'
import type { Desk } from './use-desk.ts'
import { takeArrival } from './go-to-review.ts'

const STRIP = ['unclaimed', 'toAudit', 'underReview', 'audited'] as const

export function DeskBar({
  detail,
  desk,
  viewer,
  counts,
  stats,
}: {
  detail: ReviewDetail
  desk: Desk
  viewer: Viewer
  counts: ReviewCounts | null
  stats: QueueStats | null
}): ReactNode {
  const t = useText('review')
  const wide = useMedia('(min-width: 1600px)')
  const heading = useRef<HTMLHeadingElement>(null)
  const { review, order } = detail
  const holds = isHolder(desk.known)
  const state = desk.known.state ?? review.state
  const holder = holderNameOf(desk.known)
  // also when it is held again: its decision may be taken back while the desk is still open
  useEffect(() => {
    if (takeArrival(review.reviewId)) heading.current?.focus()
  }, [review.reviewId, holds])
  return (
    <header className="desk-bar">
      <h1 ref={heading} tabIndex={-1} className="tabular">
        {review.reviewId}
      </h1>
      <span className="desk-who" title={review.userName}>
        <CustomerLink userId={review.userId}>{review.userName}</CustomerLink>
      </span>
      <span className="desk-muted">
        {t(`class.${review.customerClass}`, { defaultValue: review.customerClass })}
      </span>
      <span>
        <Money paise={order.amount} />{' '}
        <span className="desk-muted">
          {order.isEmi
            ? t('bar.instalments', { count: order.term })
            : t('bar.tenure', { count: order.tenureDays })}
        </span>
      </span>
      {holds && desk.leaseUntil ? (
        <Countdown until={desk.leaseUntil} label={t('bar.lease')} />
      ) : wide && (STRIP as readonly string[]).includes(state) ? null : (
        <StatusTag tone={stateTone(state)}>{t(`state.${state}`)}</StatusTag>
      )}
      {!holds && holder && (state === 'toAudit' || state === 'underReview') ? (
        <span className="desk-muted">{t('bar.heldBy', { name: holder })}</span>
      ) : null}
      {/* a claim that is not open yet has the time of the reviewer before */}
      {holds && state !== 'toAudit' && review.openTime ? (
        <Elapsed since={review.openTime} target={detail.targetSeconds} />
      ) : null}
      {wide && (STRIP as readonly string[]).includes(state) ? (
        <LifecycleStrip
          label={t('bar.way')}
          current={state}
          states={STRIP.map((code) => ({ code, label: t(`state.${code}`) }))}
        />
      ) : null}
      <Presence members={desk.others} />
      <span className="desk-gap" />
      {counts && stats && viewer.sees !== 'decided' ? (
        <QueueFigures counts={counts} stats={stats} claims={can(viewer, 'claim')} />
      ) : null}
    </header>
  )
}

function Elapsed({ since, target }: { since: string; target: number }): ReactNode {
  const t = useText('review')
  const ms = Math.max(0, useSecond() - Date.parse(since))
  const tone = ms > target * 1_000 ? 'is-bad' : ms > target * 800 ? 'is-warn' : ''
  return (
    <span className="tabular desk-elapsed">
      {t('bar.elapsed')} <b className={tone}>{waitText(ms, t)}</b>{' '}
      <span className="desk-muted">
        {t('bar.target', { time: durationText(target * 1_000, t) })}
      </span>
    </span>
  )
}

function QueueFigures({
  counts,
  stats,
  claims,
}: {
  counts: ReviewCounts
  stats: QueueStats
  claims: boolean
}): ReactNode {
  const t = useText('review')
  const second = useSecond()
  const oldest =
    stats.oldestTime === null ? null : Math.max(0, second - Date.parse(stats.oldestTime))
  return (
    <dl className="review-figures tabular">
      <div>
        <dt>{t('tab.queue')}</dt>
        <dd>{counts.queue}</dd>
      </div>
      {claims && (
        <div>
          <dt>{t('tab.mine')}</dt>
          <dd>
            {counts.mine}/{stats.maxClaimed}
          </dd>
        </div>
      )}
      {oldest !== null && (
        <div>
          <dt>{t('figure.oldest')}</dt>
          <dd className={oldest < WAIT_WARN_MS ? '' : oldest < WAIT_BAD_MS ? 'is-warn' : 'is-bad'}>
            {waitText(oldest, t)}
          </dd>
        </div>
      )}
    </dl>
  )
}
