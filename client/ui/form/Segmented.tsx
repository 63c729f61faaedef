import './segmented.css'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

export interface Segment<Value extends string> {
  value: Value
  label: string
  /** Shown after the label: open items, matches. */
  count?: number | string
  disabledReason?: string
}

/** A choice of a few options, all visible; arrow keys move, as in a radio group. */
export function Segmented<Value extends string>({
  label,
  segments,
  value,
  onChange,
}: {
  label: string
  segments: readonly Segment<Value>[]
  value: Value
  onChange: (value: Value) => void
}): ReactNode {
  const group = useRef<HTMLDivElement>(null)
  useKeptFocus(group, label)
  function move(event: KeyboardEvent): void {
    const by =
      event.key === 'ArrowRight' || event.key === 'ArrowDown'
        ? 1
        : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
          ? -1
          : 0
    if (!by) return
    event.preventDefault()
    const free = segments.filter((segment) => !segment.disabledReason)
    const next =
      free[(free.findIndex((segment) => segment.value === value) + by + free.length) % free.length]
    if (!next) return
    onChange(next.value)
    group.current?.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus()
  }
  return (
    <div className="segmented" role="radiogroup" aria-label={label} ref={group} onKeyDown={move}>
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          role="radio"
          className="segment"
          data-value={segment.value}
          aria-checked={segment.value === value}
          aria-disabled={segment.disabledReason ? true : undefined}
          title={segment.disabledReason}
          tabIndex={segment.value === value ? 0 : -1}
          onClick={() => !segment.disabledReason && onChange(segment.value)}
        >
          {segment.label}
          {segment.count !== undefined && (
            <span className="segment-count tabular">{segment.count}</span>
          )}
        </button>
      ))}
    </div>
  )
}

/** Label of the group that was removed while it had the focus. */
let lost: string | null = null

/** Another choice may remount the group with its screen, as tabs do: the focus continues in it. */
function useKeptFocus(group: RefObject<HTMLDivElement | null>, label: string): void {
  useLayoutEffect(() => {
    const { current } = group
    if (lost === label) {
      lost = null
      if (document.activeElement === document.body)
        current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus()
    }
    return () => {
      if (current?.contains(document.activeElement)) lost = label
    }
  }, [group, label])
}
