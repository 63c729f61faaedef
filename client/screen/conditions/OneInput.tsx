import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { DayInput } from '#client/ui/form/DayInput.tsx'
import { PercentInput } from '#client/ui/form/fields.tsx'
import { MoneyInput } from '#client/ui/form/MoneyInput.tsx'
import type { ConditionField } from '#shared/conditions/catalogue.ts'
import { namespacesOf, optionText } from './condition-words.ts'

/** One value of a field, in the control of its type. */
export function OneInput({
  field,
  label,
  value,
  onChange,
}: {
  field: ConditionField
  label: string
  value: number | string | boolean | undefined
  onChange: (value: number | string | boolean | undefined) => void
}): ReactNode {
  const t = useText('conditions', ...namespacesOf([field]))
  // what cannot be read stays in the input and is a fault of the node
  const set = (next: number | string | null) => onChange(next ?? undefined)
  switch (field.type) {
    case 'money':
      return <MoneyInput aria-label={label} value={value} onChange={set} />
    case 'percent':
      return <PercentInput aria-label={label} value={value} onChange={set} />
    case 'day':
      return <DayInput aria-label={label} value={value} onChange={set} />
    case 'number':
      return (
        <input
          className="bp6-input tabular condition-number"
          type="number"
          step="any"
          aria-label={label}
          value={typeof value === 'number' && !Number.isNaN(value) ? value : ''}
          onChange={(event) =>
            onChange(event.target.value === '' ? undefined : event.target.valueAsNumber)
          }
        />
      )
    case 'text':
      return (
        <input
          className="bp6-input"
          aria-label={label}
          maxLength={200}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'yesNo':
    case 'choice': {
      const options =
        field.type === 'yesNo'
          ? [
              { value: 'true', label: t('ui:yes') },
              { value: 'false', label: t('ui:no') },
            ]
          : (field.options ?? []).map((o) => ({ value: o.value, label: optionText(t, o) }))
      return (
        <span className="bp6-html-select field-select">
          <select
            aria-label={label}
            value={value === undefined ? '' : String(value)}
            onChange={(event) =>
              onChange(field.type === 'yesNo' ? event.target.value === 'true' : event.target.value)
            }
          >
            {value === undefined && <option value="">{t('ui:form.choose')}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <span className="field-caret" aria-hidden="true" />
        </span>
      )
    }
  }
}
