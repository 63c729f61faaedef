import './lifecycle-strip.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'

export interface StripState {
  code: string
  label: string
}

/**
 * The states of a record in order: the current one highlighted, its possible next states outlined.
 */
export function LifecycleStrip({
  label,
  states,
  current,
  next = [],
}: {
  label: string
  states: readonly StripState[]
  current: string
  next?: readonly string[]
}): ReactNode {
  const t = useText('ui')
  const at = states.findIndex((state) => state.code === current)
  return (
    <ol className="strip" aria-label={label}>
      {states.map((state, i) => {
        const kind =
          i === at ? 'now' : next.includes(state.code) ? 'next' : i < at ? 'past' : 'later'
        return (
          <li
            key={state.code}
            className={`strip-state is-${kind}`}
            aria-current={kind === 'now' ? 'step' : undefined}
          >
            {state.label}
            {kind === 'next' && <span className="visually-hidden">{t('strip.next')}</span>}
          </li>
        )
      })}
    </ol>
  )
}
