/** Label, required mark, help and error around one control, linked for screen readers. */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import {
  type FieldValues,
  type Path,
  useController,
  type UseControllerReturn,
} from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { useRequired } from './FormBody.tsx'
import { focusWithin } from './focus-field.ts'
import { faultOfError } from './form.ts'

export interface FieldProps {
  name: string
  label: string
  help?: ReactNode
  disabled?: boolean
}

/** Attributes a control needs for its label and its error. */
export interface ControlProps {
  id: string
  'aria-invalid'?: true
  'aria-required'?: true
  'aria-describedby'?: string
  disabled?: boolean
}

export type Control = UseControllerReturn<FieldValues, string>['field']

/** @param limit formats a limit of the schema for the user (paise → ₹) */
export function Field({
  name,
  label,
  help,
  disabled,
  limit,
  children,
}: FieldProps & {
  limit?: (value: number | string) => string
  children: (control: Control, props: ControlProps) => ReactNode
}): ReactNode {
  const t = useText('ui')
  const id = useId()
  const required = useRequired(name)
  const { field, fieldState } = useController<FieldValues, Path<FieldValues>>({ name })
  const at = useRef<HTMLDivElement>(null)
  const { ref: register } = field
  // `setFocus` of the form leads here, however the control is built
  useLayoutEffect(() => register({ focus: () => focusWithin(at.current) }), [register])
  const control: Control = {
    ...field,
    onBlur: () => {
      if (!isCovered(at.current)) field.onBlur()
    },
  }
  const fault = faultOfError(fieldState.error)
  const params =
    fault && limit && fault.params.limit !== undefined
      ? { ...fault.params, limit: limit(fault.params.limit) }
      : fault?.params
  const described = [fault && `${id}-fault`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className={`field${fault ? ' is-wrong' : ''}`}>
      <label className="field-label" htmlFor={id}>
        {label}
        {/* the mark never stands alone on a line */}
        {required && <span aria-hidden="true">{'\u00a0*'}</span>}
      </label>
      <div ref={at} className="field-control">
        {children(control, {
          id,
          'aria-invalid': fault ? true : undefined,
          'aria-required': required || undefined,
          'aria-describedby': described || undefined,
          disabled,
        })}
        {help && (
          <p id={`${id}-help`} className="field-help">
            {help}
          </p>
        )}
        {fault && (
          <p id={`${id}-fault`} className="fault">
            {t(fault.key, { ...params, defaultValue: t('fault.invalid', params) })}
          </p>
        )}
      </div>
    </div>
  )
}

/**
 * Whether a dialog that opened by itself, as an announcement does, has taken the focus: the user has
 * not left the field, and it is not checked.
 */
function isCovered(field: HTMLElement | null): boolean {
  // a field of the dialog itself is left as usual
  const within = field?.closest('.bp6-portal') ?? null
  const top = [...document.querySelectorAll('.bp6-portal:has([role=dialog], [role=alertdialog])')]
  const last = top.at(-1)
  return last !== undefined && last !== within && !last.contains(field)
}
