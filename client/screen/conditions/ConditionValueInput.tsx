import { Button, PopoverNext } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { ManyPane } from '#client/ui/filter/FilterPanes.tsx'
import type { ConditionField, Operand } from '#shared/conditions/catalogue.ts'
import { type ConditionValue, MOST_VALUES } from '#shared/conditions/condition.ts'
import { listText, optionText } from './condition-words.ts'
import { useEditor } from './editor-context.ts'
import { OneInput } from './OneInput.tsx'

interface ValueProps {
  field: ConditionField
  operand: Operand
  value: ConditionValue | undefined
  onChange: (value: ConditionValue | undefined) => void
}

/** The value of a comparison in the control of its type; money in rupees, days in India. */
export function ConditionValueInput({ field, operand, value, onChange }: ValueProps): ReactNode {
  const { t } = useEditor()
  const unit = field.unit !== undefined && <span>{t(field.unit)}</span>
  if (operand === 'range') {
    const [from, to] = Array.isArray(value) ? (value as (number | string | undefined)[]) : []
    const bound = (part: 0 | 1) => (
      <OneInput
        field={field}
        label={t(part === 0 ? 'valueFrom' : 'valueTo')}
        value={part === 0 ? from : to}
        onChange={(one) => {
          const ends = [from ?? '', to ?? '']
          ends[part] = (one as number | string | undefined) ?? ''
          onChange(ends)
        }}
      />
    )
    return (
      <span className="condition-value">
        {bound(0)}
        <span>{t('rangeAnd')}</span>
        {bound(1)}
        {unit}
      </span>
    )
  }
  return (
    <span className="condition-value">
      {operand === 'many' ? (
        <ManyInput field={field} value={value} onChange={onChange} />
      ) : (
        <OneInput
          field={field}
          label={t('value')}
          value={Array.isArray(value) ? value[0] : (value as number | string | boolean)}
          onChange={onChange}
        />
      )}
      {unit}
    </span>
  )
}

/** Several of the options, or several texts with commas between them. */
function ManyInput({ field, value, onChange }: Omit<ValueProps, 'operand'>): ReactNode {
  const { t } = useEditor()
  const chosen = (Array.isArray(value) ? value : []).map(String)
  const [draft, setDraft] = useState<string | null>(null)
  if (field.type !== 'choice')
    return (
      <input
        className="bp6-input"
        aria-label={t('values')}
        placeholder={t('valuesHint')}
        value={draft ?? chosen.join(', ')}
        onChange={(event) => {
          setDraft(event.target.value)
          const texts = event.target.value.split(',').map((text) => text.trim())
          onChange([...new Set(texts)].filter(Boolean).slice(0, MOST_VALUES + 1))
        }}
        onBlur={() => setDraft(null)}
      />
    )
  const options = (field.options ?? []).map((o) => ({ value: o.value, label: optionText(t, o) }))
  return (
    <PopoverNext
      placement="bottom-start"
      content={
        <div className="filter-pane">
          <ManyPane options={options} value={chosen} onChange={onChange} />
        </div>
      }
    >
      <Button
        size="small"
        endIcon="caret-down"
        aria-label={t('values')}
        text={chosen.length === 0 ? t('ui:form.choose') : listText(t, field, chosen)}
      />
    </PopoverNext>
  )
}
