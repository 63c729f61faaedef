import { useText } from '#client/base/use-text.ts'
import { Button, Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { formatPaise } from '#shared/kernel/money.ts'
import type { CaseNow } from './use-case-detail.ts'

/** What happened while the case was open; the row itself locks the form, this explains why. */
export function CaseNews({
  now,
  onRead,
  onNext,
}: {
  now: CaseNow
  onRead: (() => void) | undefined
  onNext: (() => void) | undefined
}): ReactNode {
  const t = useText('collection')
  const { news } = now
  if (news === null) return null
  const next = onNext ? <Button size="small" text={t('desk.nextCase')} onClick={onNext} /> : null
  if (news.kind === 'paid')
    return (
      <Callout intent="success" icon="tick-circle" className="case-banner" role="alert">
        {t(news.whole ? 'desk.news.paidWhole' : 'desk.news.paid', {
          amount: formatPaise(news.amount),
        })}{' '}
        {onRead && (
          <ActionButton size="small" text={t('desk.news.read')} keys="Esc" onClick={onRead} />
        )}{' '}
        {next}
      </Callout>
    )
  const words =
    news.kind === 'moved'
      ? t('desk.news.moved', { name: news.name })
      : news.kind === 'held'
        ? t('desk.news.held', {
            reason: t(`stopReason.${news.reason}`, { defaultValue: news.reason }),
          })
        : news.kind === 'ended'
          ? t('desk.news.ended', {
              reason: t(`endReason.${news.reason}`, { defaultValue: news.reason }),
            })
          : t('desk.news.takenBack')
  return (
    <Callout intent="warning" icon="swap-horizontal" className="case-banner" role="alert">
      {words} {next}
    </Callout>
  )
}
