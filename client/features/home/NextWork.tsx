/** What to do next: one button with its key, and what could be done instead. */
import type { ReactNode } from 'react'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { formatCount, formatNear } from '#client/ui/value/ist-format.ts'
import { NEXT_WORK } from '#shared/home/day-sets.ts'
import { claimsAtOnce, type Step, useNextStep } from './use-next-step.ts'
import { useScreenTitle } from '#client/session/use-screen-title.ts'

/** Steps that are offered beside the first one. */
const MOST_OTHERS = 3
const KEYS = ['KeyN', 'Digit2', 'Digit3', 'Digit4'] as const
const printed = (code: string): string => code.replace(/^(?:Key|Digit)/, '')

export function NextWork({
  steps,
  onDone,
}: {
  steps: readonly Step[]
  onDone: () => void
}): ReactNode {
  const t = useText('home')
  const { reason: offline } = useConnection()
  const take = useNextStep(onDone)
  const shown = steps.slice(0, MOST_OTHERS + 1)
  useShortcuts(
    'screen',
    shown.map((step, at) => ({
      id: `home-next-${at}`,
      code: KEYS[at] ?? '',
      labelKey: `home:next.${step.key}`,
      run: () => void take(step),
    })),
  )
  const [first, ...others] = shown
  if (first === undefined)
    return (
      <section className="next-work is-clear">
        <p>{t('next.clear')}</p>
      </section>
    )
  return (
    <section className="next-work" aria-label={t('desk.next')}>
      <div className="next-first">
        <ActionButton
          intent="primary"
          size="large"
          icon="play"
          text={<StepName step={first} />}
          keys="N"
          disabledReason={claimsAtOnce(first) && offline}
          onClick={() => take(first)}
        />
        <p className="next-facts">
          <Facts step={first} />
        </p>
      </div>
      {others.length === 0 ? null : (
        <ul className="next-others">
          {others.map((step, at) => (
            <li key={`${step.key}-${step.part ?? ''}`}>
              <ActionButton
                variant="minimal"
                text={
                  <>
                    <StepName step={step} />{' '}
                    <span className="next-count tabular">{formatCount(step.count)}</span>
                  </>
                }
                keys={printed(KEYS[at + 1] ?? '')}
                disabledReason={claimsAtOnce(step) && offline}
                onClick={() => take(step)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** With the list, where the work is in several. */
function StepName({ step: { key, part } }: { step: Step }): ReactNode {
  const t = useText('home')
  const title = useScreenTitle()(part)
  return title === null ? t(`next.${key}`) : `${t(`next.${key}`)} · ${title}`
}

function Facts({ step: { key, count, time } }: { step: Step }): ReactNode {
  const t = useText('home')
  const language = useLanguage()
  const n = t('next.count', { n: formatCount(count) })
  if (time === null) return n
  const at = formatNear(time, language)
  if (NEXT_WORK[key] === 'waiting') return `${n} · ${t('next.oldest', { time: at })}`
  const isLate = Date.parse(time) <= uiNow()
  return `${n} · ${t(isLate ? 'next.lateSince' : 'next.dueAt', { time: at })}`
}
