/** The controls of a form. */
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import { DayInput, MomentInput } from './DayInput.tsx'
import { Field, type FieldProps } from './Field.tsx'
import { MoneyInput } from './MoneyInput.tsx'

export interface Option {
  value: string
  label: string
  disabled?: boolean
}

interface TextProps extends FieldProps {
  placeholder?: string
  autoComplete?: string
  maxLength?: number
  type?: 'text' | 'email' | 'tel' | 'password'
}

export function TextField({
  placeholder,
  autoComplete = 'off',
  maxLength,
  type = 'text',
  ...field
}: TextProps): ReactNode {
  return (
    <Field {...field}>
      {(control, props) => (
        <input
          className="bp6-input"
          type={type}
          placeholder={placeholder}
          autoComplete={autoComplete}
          maxLength={maxLength}
          {...props}
          {...control}
          value={control.value ?? ''}
        />
      )}
    </Field>
  )
}

export function AreaField({
  rows = 3,
  maxLength,
  ...field
}: FieldProps & { rows?: number; maxLength?: number }): ReactNode {
  return (
    <Field {...field}>
      {(control, props) => (
        <textarea
          className="bp6-input"
          rows={rows}
          maxLength={maxLength}
          {...props}
          {...control}
          value={control.value ?? ''}
        />
      )}
    </Field>
  )
}

/** A whole or decimal number; empty is no value. */
export function NumberField({
  min,
  max,
  step = 1,
  suffix,
  ...field
}: FieldProps & { min?: number; max?: number; step?: number; suffix?: string }): ReactNode {
  return (
    <Field {...field}>
      {(control, props) => (
        <span className="field-affix">
          <input
            className="bp6-input tabular"
            type="number"
            inputMode="decimal"
            min={min}
            max={max}
            step={step}
            {...props}
            {...control}
            value={control.value ?? ''}
            onChange={(event) =>
              control.onChange(event.target.value === '' ? null : event.target.valueAsNumber)
            }
          />
          {suffix && <span>{suffix}</span>}
        </span>
      )}
    </Field>
  )
}

/**
 * Rupees as typed or pasted (`₹1,23,456.5`), paise in the form; unreadable text stays visible and
 * is an error.
 */
export function MoneyField(field: FieldProps & { placeholder?: string }): ReactNode {
  return (
    <Field {...field} limit={(paise) => formatPaise(Number(paise))}>
      {(control, props) => (
        <MoneyInput
          {...props}
          value={control.value}
          onChange={control.onChange}
          onBlur={control.onBlur}
          placeholder={field.placeholder}
        />
      )}
    </Field>
  )
}

/** Per cent as typed (`0.07`), basis points in the form. */
export function PercentField(field: FieldProps): ReactNode {
  return (
    <Field {...field} limit={(points) => formatBasisPoints(Number(points))}>
      {(control, props) => (
        <PercentInput
          {...props}
          value={control.value}
          onChange={control.onChange}
          onBlur={control.onBlur}
        />
      )}
    </Field>
  )
}

interface PercentInputProps {
  id?: string
  value: unknown
  /** Basis points, null for empty. */
  onChange: (points: number | null) => void
  onBlur?: () => void
  placeholder?: string
  disabled?: boolean
  'aria-label'?: string
}

export function PercentInput({ value, onChange, ...props }: PercentInputProps): ReactNode {
  const points = typeof value === 'number' && Number.isFinite(value) ? value : null
  return (
    <span className="field-affix">
      <input
        className="bp6-input tabular"
        type="number"
        inputMode="decimal"
        min={0}
        max={100}
        step={0.01}
        {...props}
        value={points === null ? '' : points / 100}
        onChange={(event) =>
          onChange(event.target.value === '' ? null : Math.round(event.target.valueAsNumber * 100))
        }
      />
      <span>%</span>
    </span>
  )
}

/** @param numeric the codes are numbers: the form holds a number, null for none */
export function SelectField({
  options,
  placeholder,
  numeric = false,
  ...field
}: FieldProps & {
  options: readonly Option[]
  placeholder?: string
  numeric?: boolean
}): ReactNode {
  const t = useText('ui')
  return (
    <Field {...field}>
      {(control, props) => (
        <span className="bp6-html-select field-select">
          <select
            {...props}
            {...control}
            value={control.value ?? ''}
            onChange={(event) =>
              control.onChange(
                !numeric
                  ? event.target.value
                  : event.target.value === ''
                    ? null
                    : Number(event.target.value),
              )
            }
          >
            <option value="">{placeholder ?? t('form.choose')}</option>
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <span className="field-caret" aria-hidden="true" />
        </span>
      )}
    </Field>
  )
}

/** Several of a closed set. */
export function ManyField({
  options,
  ...field
}: FieldProps & { options: readonly Option[] }): ReactNode {
  return (
    <Field {...field}>
      {(control, props) => {
        const chosen: readonly string[] = Array.isArray(control.value) ? control.value : []
        return (
          <div
            role="group"
            className="field-many"
            aria-label={field.label}
            aria-describedby={props['aria-describedby']}
          >
            {options.map((option, i) => (
              <label key={option.value} className="check">
                <input
                  id={i === 0 ? props.id : undefined}
                  type="checkbox"
                  disabled={props.disabled || option.disabled}
                  checked={chosen.includes(option.value)}
                  onBlur={control.onBlur}
                  onChange={(event) =>
                    control.onChange(
                      event.target.checked
                        ? [...chosen, option.value]
                        : chosen.filter((one) => one !== option.value),
                    )
                  }
                />
                {option.label}
              </label>
            ))}
          </div>
        )
      }}
    </Field>
  )
}

export function SwitchField({ text, ...field }: FieldProps & { text?: string }): ReactNode {
  return (
    <Field {...field}>
      {({ value, onChange, ...control }, props) => (
        <label className="check">
          <input
            type="checkbox"
            role="switch"
            {...props}
            {...control}
            checked={value === true || value === 1}
            onChange={(event) =>
              onChange(
                typeof value === 'number' ? Number(event.target.checked) : event.target.checked,
              )
            }
          />
          {text}
        </label>
      )}
    </Field>
  )
}

/** An IST day `YYYY-MM-DD`. */
export function DayField({
  min,
  max,
  ...field
}: FieldProps & { min?: string; max?: string }): ReactNode {
  return (
    <Field {...field}>
      {(control, props) => (
        <DayInput
          {...props}
          min={min}
          max={max}
          value={control.value}
          onChange={control.onChange}
          onBlur={control.onBlur}
        />
      )}
    </Field>
  )
}

/** An instant, entered as India time and kept as ISO 8601 UTC. */
export function TimeField(field: FieldProps): ReactNode {
  return (
    <Field {...field}>
      {(control, props) => (
        <span className="field-affix">
          <MomentInput
            {...props}
            value={control.value}
            onChange={control.onChange}
            onBlur={control.onBlur}
          />
          <span>IST</span>
        </span>
      )}
    </Field>
  )
}

/**
 * A time of day `HH:MM`, IST, typed. The browser's own input shows AM and PM in some languages, and
 * the console uses 24 hours.
 */
export function ClockField(field: FieldProps): ReactNode {
  return (
    <Field {...field}>
      {(control, props) => (
        <span className="field-affix">
          <input
            className="bp6-input tabular"
            type="text"
            placeholder="HH:MM"
            autoComplete="off"
            maxLength={5}
            {...props}
            {...control}
            value={control.value ?? ''}
          />
          <span>IST</span>
        </span>
      )}
    </Field>
  )
}
