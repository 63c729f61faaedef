import type { ReactNode } from 'react'

interface NumberCellProps {
  name: string
  value: number
  min: number
  max: number
  /** NaN for an empty field, which the form refuses. */
  onChange: (value: number) => void
}

/** A whole number in a table. It marks its own error: the form marks the table as a whole. */
export function NumberCell({ name, value, min, max, onChange }: NumberCellProps): ReactNode {
  const isWrong = !Number.isInteger(value) || value < min || value > max
  return (
    <input
      className={`bp6-input tabular rules-number${isWrong ? ' is-wrong' : ''}`}
      type="number"
      min={min}
      max={max}
      step={1}
      aria-label={name}
      aria-invalid={isWrong || undefined}
      value={Number.isNaN(value) ? '' : value}
      onChange={(event) => onChange(event.target.valueAsNumber)}
    />
  )
}
