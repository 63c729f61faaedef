import { Button, Checkbox } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { OneInput } from '#client/screen/conditions/OneInput.tsx'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { fieldOf } from '#shared/conditions/catalogue.ts'
import type { Condition } from '#shared/conditions/condition.ts'
import { deleteRuleCase, saveRuleCase } from '#shared/rules/rule-api.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { RULE_OUTCOMES, type RuleOutcome } from '#shared/rules/rule-sets.ts'
import { fieldsIn } from './fields-in.ts'
import type { Rule, RuleCase } from './rule-types.ts'

interface CasesProps {
  rule: Rule
  /** Of the latest version. */
  expression: Condition
  cases: readonly RuleCase[]
  mayEdit: boolean
  onChanged: () => void
}

/** Facts with what the rule must say of them; a version is not enabled while one fails. */
export function CasesPane({ rule, expression, cases, mayEdit, onChanged }: CasesProps): ReactNode {
  const t = useText('rules')
  const remove = useSend(deleteRuleCase)
  const [isAdding, setAdding] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasAdding = useRef(false)
  // the form that had the focus is gone; without it the keys of the drawer would reach nothing
  useEffect(() => {
    if (wasAdding.current && !isAdding) button.current?.focus()
    wasAdding.current = isAdding
  }, [isAdding])
  return (
    <section aria-label={t('rule.case.title')}>
      <h3>{t('rule.case.title')}</h3>
      {cases.length === 0 ? (
        <p className="rule-facts">{t('rule.case.none')}</p>
      ) : (
        <table className="rule-cases">
          <thead>
            <tr>
              <th>{t('rule.case.name')}</th>
              <th>{t('rule.case.expects')}</th>
              <th>{t('rule.case.got')}</th>
              <th>
                <span className="visually-hidden">{t('rule.col.status')}</span>
              </th>
              <th aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {cases.map(({ caseId, name, expects, outcome }) => (
              <tr key={caseId}>
                <td>{name}</td>
                <td>{t(`rule.outcome.${expects}`)}</td>
                <td>{t(`rule.outcome.${outcome}`)}</td>
                <td>
                  <StatusTag tone={expects === outcome ? 'good' : 'bad'}>
                    {t(expects === outcome ? 'rule.case.passes' : 'rule.case.fails')}
                  </StatusTag>
                </td>
                <td>
                  {mayEdit && (
                    <Button
                      size="small"
                      variant="minimal"
                      icon="trash"
                      aria-label={t('rule.case.remove', { name })}
                      onClick={() => void remove.mutateAsync({ caseId }).then(onChanged)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {mayEdit &&
        (isAdding ? (
          <CaseForm
            rule={rule}
            expression={expression}
            onSaved={() => {
              setAdding(false)
              onChanged()
            }}
            onCancel={() => setAdding(false)}
          />
        ) : (
          <Button
            ref={button}
            icon="plus"
            text={t('rule.case.add')}
            onClick={() => setAdding(true)}
          />
        ))}
    </section>
  )
}

type Fact = number | string | boolean | null

function CaseForm({
  rule,
  expression,
  onSaved,
  onCancel,
}: {
  rule: Rule
  expression: Condition
  onSaved: () => void
  onCancel: () => void
}): ReactNode {
  const t = useText('rules', 'conditions')
  const save = useSend(saveRuleCase)
  const [name, setName] = useState('')
  const [expects, setExpects] = useState<RuleOutcome>('hit')
  const [facts, setFacts] = useState<Record<string, Fact | undefined>>({})
  const given = Object.entries(facts).flatMap(([field, fact]) =>
    fact === undefined || Number.isNaN(fact) ? [] : [[field, fact] as const],
  )
  async function submit(): Promise<void> {
    await save.mutateAsync({
      ruleId: rule.ruleId,
      name: name.trim(),
      expects,
      facts: Object.fromEntries(given),
    })
    void showMessage({ intent: 'success', message: t('rule.case.saved'), key: 'rule' })
    onSaved()
  }
  return (
    <form
      className="rule-case-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') void submit()
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
      {fieldsIn(expression).flatMap((fieldName) => {
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
      <div className="rule-case-buttons">
        <Button text={t('ui:form.cancel')} onClick={onCancel} />
        <Button
          type="submit"
          intent="primary"
          text={t('rule.case.save')}
          loading={save.isPending}
          disabled={name.trim() === ''}
        />
      </div>
    </form>
  )
}
