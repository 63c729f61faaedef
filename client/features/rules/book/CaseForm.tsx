import { Button, Checkbox } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { OneInput } from '#client/screen/conditions/OneInput.tsx'
import { showMessage } from '#client/session/messages.ts'
import { fieldOf } from '#shared/conditions/catalogue.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { RULE_OUTCOMES, type RuleOutcome } from '#shared/rules/rule-sets.ts'
import { OUTPUT_NAMES } from '#shared/rules/tables/decision-table.ts'
import { readOutputText } from '../tables/cell-text.ts'
import { columnTitle } from '../tables/table-words.ts'

type Fact = number | string | boolean | null

export interface CaseFields {
  name: string
  facts: Record<string, Fact>
  expects: RuleOutcome
  /** Of a table; what is not named is not compared. */
  gives?: Record<string, number | null>
}

/** Facts of an application and the expected outcome. */
export function CaseForm({
  fields,
  outputs = [],
  save,
  onSaved,
  onCancel,
}: {
  fields: readonly string[]
  outputs?: readonly string[]
  save: (fields: CaseFields) => Promise<unknown>
  onSaved: () => void
  onCancel: () => void
}): ReactNode {
  const t = useText('rules', 'conditions')
  const [name, setName] = useState('')
  const [expects, setExpects] = useState<RuleOutcome>('hit')
  const [facts, setFacts] = useState<Record<string, Fact | undefined>>({})
  const [texts, setTexts] = useState<Record<string, string>>({})
  const [isSaving, setSaving] = useState(false)
  const given = Object.entries(facts).flatMap(([field, fact]) =>
    fact === undefined || Number.isNaN(fact) ? [] : [[field, fact] as const],
  )
  const shown = expects === 'hit' ? OUTPUT_NAMES.filter((one) => outputs.includes(one)) : []
  const values = shown.map((one) => [one, readGives(one, texts[one] ?? '')] as const)
  const isReady = name.trim() !== '' && values.every(([, value]) => value !== 'unreadable')
  async function submit(): Promise<void> {
    setSaving(true)
    try {
      await save({
        name: name.trim(),
        expects,
        facts: Object.fromEntries(given),
        ...(shown.length > 0 && {
          gives: Object.fromEntries(
            values.flatMap(([one, value]) =>
              typeof value === 'number' || value === null ? [[one, value]] : [],
            ),
          ),
        }),
      })
      void showMessage({ intent: 'success', message: t('rule.case.saved'), key: 'rule' })
      onSaved()
    } finally {
      setSaving(false)
    }
  }
  return (
    <form
      className="rule-case-form"
      onSubmit={(event) => {
        event.preventDefault()
        // the message of a refusal is shown, and what was typed stays
        if (isReady) void submit().catch(() => undefined)
      }}
    >
      <label>
        <span>{t('rule.case.name')}</span>
        <input
          className="bp6-input"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      {fields.flatMap((fieldName) => {
        const field = fieldOf(RULE_CATALOGUE, fieldName)
        if (field === undefined) return []
        const fact = facts[fieldName]
        const set = (next: Fact | undefined) => setFacts({ ...facts, [fieldName]: next })
        return (
          <div className="rule-case-fact" key={fieldName}>
            <span>{t(field.text)}</span>
            {fact === null ? null : (
              <OneInput field={field} label={t(field.text)} value={fact} onChange={set} />
            )}
            {field.unit !== undefined && fact !== null && <span>{t(field.unit)}</span>}
            {field.mayBeEmpty && (
              <Checkbox
                label={t('rule.test.empty')}
                checked={fact === null}
                onChange={(event) => set(event.currentTarget.checked ? null : undefined)}
              />
            )}
          </div>
        )
      })}
      <p className="rule-facts">{t('rule.case.empty')}</p>
      <label>
        <span>{t('rule.case.expects')}</span>
        <span className="bp6-html-select field-select">
          <select
            value={expects}
            onChange={(event) => setExpects(event.target.value as RuleOutcome)}
          >
            {RULE_OUTCOMES.map((outcome) => (
              <option key={outcome} value={outcome}>
                {t(`rule.outcome.${outcome}`)}
              </option>
            ))}
          </select>
          <span className="field-caret" aria-hidden="true" />
        </span>
      </label>
      {values.map(([one, value]) => (
        <label key={one}>
          <span>{columnTitle(t, one)}</span>
          <input
            className={`bp6-input ${value === 'unreadable' ? 'bp6-intent-danger' : ''}`}
            aria-invalid={value === 'unreadable'}
            inputMode="decimal"
            value={texts[one] ?? ''}
            onChange={(event) => setTexts({ ...texts, [one]: event.target.value })}
          />
        </label>
      ))}
      {shown.length > 0 && <p className="rule-facts">{t('rule.case.gives')}</p>}
      <div className="rule-case-buttons">
        <Button text={t('ui:form.cancel')} onClick={onCancel} />
        <Button
          type="submit"
          intent="primary"
          text={t('rule.case.save')}
          loading={isSaving}
          disabled={!isReady}
        />
      </div>
    </form>
  )
}

type Given = number | null | 'unreadable' | undefined

/** Undefined: not compared; null (a dash): the row must give none. */
function readGives(name: (typeof OUTPUT_NAMES)[number], text: string): Given {
  if (text.trim() === '') return undefined
  const value = readOutputText(name, text)
  return value === undefined || (value !== null && !Number.isInteger(value)) ? 'unreadable' : value
}
