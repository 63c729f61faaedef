import { type ReactNode, useId } from 'react'
import {
  type ConditionField,
  fieldOf,
  type Operator,
  OPERATORS,
  operatorOf,
  operatorsOf,
} from '#shared/conditions/catalogue.ts'
import { afterPress } from '#client/ui/form/press.ts'
import type { ConditionValue } from '#shared/conditions/condition.ts'
import { changeNode, type DraftComparison } from './condition-draft.ts'
import { operatorKey } from './condition-words.ts'
import { ConditionValueInput } from './ConditionValueInput.tsx'
import { useEditor } from './editor-context.ts'
import { NodeButtons } from './NodeButtons.tsx'

/** One comparison: field, operator, value; what the field means shows while it has the focus. */
export function ConditionRow({ node }: { node: DraftComparison }): ReactNode {
  const { t, catalogue, root, change, faultOf, touch } = useEditor()
  const base = useId()
  const { id } = node
  const field = fieldOf(catalogue, node.field)
  const operator = operatorOf(node.operator)
  const fault = faultOf(id)
  const set = (next: DraftComparison, about?: string) =>
    change(changeNode(root, next), null, about === undefined ? undefined : `${id}:${about}`)
  const described = [field && `${base}-means`, fault && `${base}-fault`].filter(Boolean).join(' ')
  return (
    <div
      className={`condition-row${fault ? ' is-wrong' : ''}`}
      role="group"
      aria-label={field ? t(field.text) : t('comparison')}
      data-node={id}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) afterPress(() => touch(id))
      }}
    >
      <div className="condition-parts">
        <Choice
          label={t('field')}
          value={node.field}
          isFirst
          described={described}
          isWrong={fault !== null}
          options={catalogue.map(({ name, text }) => ({ value: name, label: t(text) }))}
          onChange={(name) => set(withField(node, fieldOf(catalogue, name)))}
        />
        {field && (
          <Choice
            label={t('operator')}
            value={node.operator}
            options={operatorsOf(field).map((value) => ({
              value,
              label: t(operatorKey(field, value)),
            }))}
            onChange={(name) => set(withOperator(node, operatorOf(name)))}
          />
        )}
        {field && operator && OPERATORS[operator] !== 'none' && (
          <ConditionValueInput
            // another kind of input: nothing that was typed may stay in it
            key={`${field.name}:${OPERATORS[operator]}`}
            field={field}
            operand={OPERATORS[operator]}
            value={node.value}
            onChange={(value) =>
              set({ ...without(node), ...(value !== undefined && { value }) }, 'value')
            }
          />
        )}
        <span className="condition-spring" />
        <NodeButtons id={id} />
      </div>
      {field && (
        <p id={`${base}-means`} className="condition-means">
          {t(field.meaning)}
        </p>
      )}
      {fault && (
        <p id={`${base}-fault`} className="fault">
          {t(`fault.${fault}`)}
        </p>
      )}
    </div>
  )
}

function without({ id, field, operator }: DraftComparison): DraftComparison {
  return { id, field, operator }
}

/** A field of another type keeps neither operator nor value. */
function withField(node: DraftComparison, field: ConditionField | undefined): DraftComparison {
  if (!field) return { id: node.id, field: '', operator: '' }
  return startOf({ id: node.id, field: field.name, operator: operatorsOf(field)[0] ?? '' }, field)
}

/** Yes and no: one of them is chosen already. */
function startOf(node: DraftComparison, { type }: ConditionField): DraftComparison {
  return type === 'yesNo' ? { ...node, value: true } : node
}

/** The value stays where the new operator takes one of the same kind, one of several included. */
function withOperator(node: DraftComparison, operator: Operator | null): DraftComparison {
  if (operator === null) return node
  const kept = keptValue(node.value, OPERATORS[operator])
  return { ...without(node), operator, ...(kept === undefined ? {} : { value: kept }) }
}

function keptValue(
  value: ConditionValue | undefined,
  operand: (typeof OPERATORS)[Operator],
): ConditionValue | undefined {
  if (value === undefined || operand === 'none') return undefined
  const given = Array.isArray(value) ? value : [value]
  if (operand === 'one') return given[0]
  return operand === 'many' ? given : undefined
}

function Choice({
  label,
  value,
  options,
  isFirst = false,
  isWrong = false,
  described = '',
  onChange,
}: {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  isFirst?: boolean
  isWrong?: boolean
  described?: string
  onChange: (value: string) => void
}): ReactNode {
  const { t } = useEditor()
  return (
    <span className="bp6-html-select field-select">
      <select
        aria-label={label}
        aria-invalid={isWrong || undefined}
        aria-describedby={described || undefined}
        data-part={isFirst ? 'first' : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {isFirst && <option value="">{t('chooseField')}</option>}
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
