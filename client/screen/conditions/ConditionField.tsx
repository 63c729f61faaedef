import { type ReactNode, useId } from 'react'
import { type FieldValues, type Path, useController } from 'react-hook-form'
import { useRequired } from '#client/ui/form/FormBody.tsx'
import type { Faults } from '#client/ui/form/fault.ts'
import type { Catalogue } from '#shared/conditions/catalogue.ts'
import type { Condition } from '#shared/conditions/condition.ts'
import { conditionFaults } from '#shared/conditions/condition-faults.ts'
import { useText } from '#client/base/use-text.ts'
import { ConditionEditor } from './ConditionEditor.tsx'

/** The editor as a field of a form, over its whole width; `checkCondition` belongs to its check. */
export function ConditionField({
  name,
  label,
  catalogue,
}: {
  name: string
  label: string
  catalogue: Catalogue
}): ReactNode {
  const t = useText('conditions')
  const id = useId()
  const required = useRequired(name)
  const { field, fieldState, formState } = useController<FieldValues, Path<FieldValues>>({ name })
  const isWrong = fieldState.error !== undefined
  return (
    <div className={`field condition-field${isWrong ? ' is-wrong' : ''}`}>
      <span className="field-label" id={id}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </span>
      <ConditionEditor
        label={label}
        catalogue={catalogue}
        initial={field.value as Condition}
        onChange={field.onChange}
        onBlur={field.onBlur}
        showsFaults={formState.submitCount > 0}
      />
      {isWrong && (
        <p className="fault" role="alert">
          {t('fault.tree')}
        </p>
      )}
    </div>
  )
}

/** The fault of a field with a condition, for the check of a form. */
export function checkCondition(
  name: string,
  condition: Condition,
  catalogue: Catalogue,
): Faults | null {
  return conditionFaults(condition, catalogue).length === 0
    ? null
    : { [name]: { key: 'conditions:fault.tree', params: {} } }
}
