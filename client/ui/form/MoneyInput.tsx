import { type ReactNode, useState } from 'react'
import { parseRupees } from '#shared/kernel/money.ts'
import { rupeeText } from './field-values.ts'

interface MoneyInputProps {
  id?: string
  value: unknown
  /** Paise, null for empty, NaN for invalid text. */
  onChange: (paise: number | null) => void
  onBlur?: () => void
  placeholder?: string
  disabled?: boolean
  'aria-label'?: string
}

/**
 * Takes rupees as typed or pasted and gives paise. Used in forms and filters, so it does not depend
 * on the form library.
 */
export function MoneyInput({ value, onChange, onBlur, ...props }: MoneyInputProps): ReactNode {
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? rupeeText(value)
  return (
    <span className="field-money">
      <span aria-hidden="true">₹</span>
      <input
        className="bp6-input tabular"
        inputMode="decimal"
        autoComplete="off"
        {...props}
        value={text}
        onChange={(event) => {
          setDraft(event.target.value)
          onChange(
            event.target.value.trim() === ''
              ? null
              : (parseRupees(event.target.value) ?? Number.NaN),
          )
        }}
        onBlur={() => {
          // Grouped on blur; unreadable text stays as typed.
          if (draft === null || draft.trim() === '' || parseRupees(draft) !== null) setDraft(null)
          onBlur?.()
        }}
      />
    </span>
  )
}
