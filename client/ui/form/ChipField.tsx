/**
 * A choice of a few numbered options; the digits of the keyboard choose. What was chosen stands
 * alone until it is pressed again, so that the next fields have the room.
 */
import './chip-field.css'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Field, type FieldProps } from './Field.tsx'

export interface Chip {
  /** Also the key: 1 to 9. */
  value: number
  label: string
}

/** @param onKeyed called after a digit chose, for a form that continues to its next field */
export function ChipField({
  chips,
  onKeyed,
  ...field
}: FieldProps & { chips: readonly Chip[]; onKeyed?: (value: number) => void }): ReactNode {
  const group = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <Field {...field}>
      {(control, { id, disabled, ...marks }) => {
        const chosen = chips.find(({ value }) => value === control.value)?.value
        const stop = chosen ?? chips[0]?.value
        const isFolded = chosen !== undefined && !isOpen
        const pick = (value: number, stays: boolean): void => {
          flushSync(() => {
            setOpen(stays)
            control.onChange(value)
          })
          // Safari does not focus a pressed button by itself
          group.current?.querySelector<HTMLElement>(`[data-value="${value}"]`)?.focus()
        }
        const keys = (event: KeyboardEvent): void => {
          if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing)
            return
          const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1]
          const by = STEPS[event.key]
          if (digit === undefined && by === undefined) return
          // the digits of the frame's shortcuts do not act while they choose here
          event.preventDefault()
          event.stopPropagation()
          const at = chips.findIndex(({ value }) => value === stop)
          const next =
            digit === undefined
              ? chips[(at + (by as number) + chips.length) % chips.length]
              : chips.find(({ value }) => value === Number(digit))
          if (next === undefined) return
          pick(next.value, digit === undefined)
          if (digit !== undefined) onKeyed?.(next.value)
        }
        return (
          <div
            {...marks}
            ref={group}
            id={id}
            className={isFolded ? 'chips is-folded' : 'chips'}
            role="radiogroup"
            aria-label={field.label}
            aria-disabled={disabled}
            data-field={field.name}
            onKeyDown={keys}
            onBlur={control.onBlur}
          >
            {(isFolded ? chips.filter(({ value }) => value === chosen) : chips).map(
              ({ value, label }) => (
                <button
                  key={value}
                  type="button"
                  role="radio"
                  className="chip"
                  data-value={value}
                  aria-checked={value === chosen}
                  disabled={disabled}
                  tabIndex={value === stop ? 0 : -1}
                  onClick={() => pick(value, isFolded)}
                >
                  <kbd>{value}</kbd> {label}
                </button>
              ),
            )}
          </div>
        )
      }}
    </Field>
  )
}

const STEPS: Record<string, number | undefined> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
}
