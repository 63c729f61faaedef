import { useLanguage, useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { useSession } from '#client/session/session-store.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { CONTACT_DIRECTIONS } from '#shared/collection/collection-sets.ts'
import { LINE_BUSY } from '#shared/kernel/problem.ts'
import { istClock } from '#shared/kernel/time.ts'
import type { CaseNow } from './use-case-detail.ts'

/** What is recorded: a contact one way or the other, or a note, which is no contact. */
export const KINDS = [...CONTACT_DIRECTIONS, 'note'] as const
export type Kind = (typeof KINDS)[number]

/**
 * Why each way of working on a case is not possible now; null where it is.
 * @param kind what is to be recorded
 */
export function useCaseLocks(
  now: CaseNow,
  detail: NonNullable<CaseNow['detail']>,
  { kind, isRunning }: { kind: Kind; isRunning: boolean },
) {
  const t = useText('collection', 'problems')
  const language = useLanguage()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const row = detail.case
  const leads = user.scope.kind !== 'own'
  const holds = row.collectorId === user.userId || (leads && row.collectorId !== null)
  const refusalText = now.refusal === null ? null : textOfRefusal(now.refusal)
  /** A part payment arrived while the case was open: the caller must see it before talking. */
  const isUnread = now.news?.kind === 'paid' && !now.news.whole
  const locked = lockOf()
  const messageRefused = offline ?? locked ?? refusalText
  const dialRefused = messageRefused ?? busyText()
  const whatsappRefused =
    messageRefused ?? (detail.whatsapp === 'none' ? t('desk.noWhatsapp') : null)
  // the server applies the contact limits: a link sent during a call is not a further contact
  const linkRefused =
    locked ??
    (now.refusal !== null && !['C-LIM', 'C-LIMW', 'C-GAP'].includes(now.refusal.id)
      ? refusalText
      : null)
  const outRefused = locked ?? (refusalText !== null && !isRunning ? refusalText : null)
  const followRefused = kind === 'out' ? outRefused : locked
  // a stop, or a payment to be read first, forbids contact but no note
  const noteRefused = now.isGone || !holds || row.state === 'closed' ? locked : null

  function textOfRefusal({ id, params, openTime }: NonNullable<CaseNow['refusal']>): string {
    const { date } = params
    const text = t(`problems:${id}`, {
      ...params,
      ...(typeof date === 'string' ? { date: formatIst(date, 'day', language) } : {}),
    })
    if (openTime === null || id === 'C-GAP') return text
    return `${text} · ${t('desk.opensAt', { time: formatIst(openTime, 'dayTime', language) })}`
  }
  /** Until the given minute: the case is not read again for it. */
  function busyText(): string | null {
    const { busyLine } = detail
    if (busyLine === null || serverNow() >= Date.parse(busyLine.freeTime)) return null
    const { number, n, freeTime } = busyLine
    return t(`problems:${LINE_BUSY.id}`, { number, n, time: istClock(freeTime) })
  }
  function lockOf(): string | null {
    if (now.isGone)
      return now.news?.kind === 'moved'
        ? t('desk.lock.other', { name: now.news.name })
        : t('desk.lock.gone')
    if (row.state === 'closed' || row.endReason !== null) return t('desk.lock.ended')
    if (row.state === 'held') return t('desk.lock.held')
    if (row.collectorId === null) return t('desk.lock.nobody')
    if (!holds) return t('desk.lock.other', { name: row.collectorName ?? '' })
    if (isUnread) return t('desk.lock.paid')
    return null
  }
  return {
    locked,
    isUnread,
    dialRefused,
    whatsappRefused,
    linkRefused,
    followRefused,
    noteRefused,
  }
}
