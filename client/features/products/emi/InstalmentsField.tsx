import { type ReactNode, useState } from 'react'
import { Field, type FieldProps } from '#client/ui/form/Field.tsx'

/** Whole numbers, typed with commas or spaces between them. */
export function InstalmentsField(field: FieldProps): ReactNode {
  return (
    <Field {...field}>
      {({ value, onChange, ...control }, props) => (
        <Numbers value={value} onChange={onChange} {...props} {...control} />
      )}
    </Field>
  )
}

function Numbers({
  value,
  onChange,
  onBlur,
  ...props
}: {
  value: unknown
  onChange: (numbers: number[]) => void
  onBlur: () => void
}): ReactNode {
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? (Array.isArray(value) ? value.join(', ') : '')
  return (
    <input
      className="bp6-input tabular"
      inputMode="numeric"
      autoComplete="off"
      {...props}
      value={text}
      onChange={(event) => {
        setDraft(event.target.value)
        onChange(numbersIn(event.target.value))
      }}
      onBlur={() => {
        setDraft(null)
        onBlur()
      }}
    />
  )
}

function numbersIn(text: string): number[] {
  const numbers = text.split(/[^\d]+/).filter((part) => part !== '')
  return [...new Set(numbers.map(Number))].toSorted((one, other) => one - other)
}
