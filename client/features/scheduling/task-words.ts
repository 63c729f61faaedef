/** Words and durations of scheduled tasks. */
import { hasText, translate } from '#client/base/i18n.ts'
import type { Text } from '#client/base/use-text.ts'
import { actorLabel } from '#client/session/actor-label.ts'
import { formatCount, formatIst } from '#client/ui/value/ist-format.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import { cycleWords } from '#shared/scheduling/cycle-words.ts'
import { RUN_COUNTS, type RunCounts } from '#shared/scheduling/scheduling-sets.ts'

/**
 * A class that acts in the operate log is labelled as there; the others are known to this screen
 * only.
 */
export function taskLabel(name: string): string {
  const own = `scheduling:class.${name}`
  return hasText(own) ? translate(own) : actorLabel(name)
}

/** The cycle in words, in India time. */
export function cycleText(cycle: string, t: Text): string {
  const words = cycleWords(cycle)
  if (words.kind === 'cron') return words.cycle
  return t(`scheduling:cycle.${words.kind}`, {
    ...words,
    ...('n' in words && { count: words.n }),
  })
}

/** @param ms null = not known */
export function durationText(ms: number | null, t: Text): string {
  if (ms === null) return '—'
  if (ms < 1_000) return t('scheduling:duration.ms', { n: ms })
  const seconds = ms / 1_000
  return t('scheduling:duration.seconds', {
    n: seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds),
  })
}

/**
 * What a run did: `Expired: 12 · Removed: 3`.
 * @param counts null: `message` is why it failed, or the sentence of an older release
 */
export function outcomeText(counts: RunCounts | null, message: string | null, t: Text): string {
  if (counts === null) return message ?? ''
  return RUN_COUNTS.flatMap((name) => {
    const count = counts[name]
    if (count === undefined) return []
    const value = name === 'fines' ? formatPaise(count) : formatCount(count)
    return [`${t(`scheduling:count.${name}`)}: ${value}`]
  }).join(' · ')
}

/** A day is written once: `25 Nov, 10:18 · 10:19 · 10:20`. */
export function runsText(runs: readonly string[], language: string): string {
  let day = ''
  return (
    runs
      .map((at) => {
        const of = formatIst(at, 'day', language)
        const text = formatIst(at, of === day ? 'time' : 'nearTime', language)
        day = of
        return text
      })
      .join(' · ') || '—'
  )
}
