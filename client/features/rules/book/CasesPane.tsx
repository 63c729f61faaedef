import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useSend } from '#client/session/query.ts'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { deleteRuleCase } from '#shared/rules/case-api.ts'
import { CaseForm, type CaseFields } from './CaseForm.tsx'
import { givenText } from './case-words.ts'
import type { RuleCase } from './rule-types.ts'

interface CasesProps {
  cases: readonly RuleCase[]
  /** What the latest version asks for, in its order. */
  fields: readonly string[]
  /** Of a table: what its rows give. */
  outputs?: readonly string[]
  save: (fields: CaseFields) => Promise<unknown>
  mayEdit: boolean
  onChanged: () => void
}

/** Facts with the expected outcome; a version is not enabled while one fails. */
export function CasesPane({ cases, mayEdit, onChanged, ...form }: CasesProps): ReactNode {
  const t = useText('rules')
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
        <CaseTable cases={cases} mayEdit={mayEdit} onChanged={onChanged} />
      )}
      {mayEdit &&
        (isAdding ? (
          <CaseForm
            {...form}
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

function CaseTable({
  cases,
  mayEdit,
  onChanged,
}: Pick<CasesProps, 'cases' | 'mayEdit' | 'onChanged'>): ReactNode {
  const t = useText('rules')
  const remove = useSend(deleteRuleCase)
  return (
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
        {cases.map(({ caseId, name, expects, gives, outcome, got, passes }) => (
          <tr key={caseId}>
            <td>{name}</td>
            <td>{givenText(t, expects, gives)}</td>
            {/* only what was asked for can differ */}
            <td>{givenText(t, outcome, got && gives ? { ...gives, ...got } : got)}</td>
            <td>
              <StatusTag tone={passes ? 'good' : 'bad'}>
                {t(passes ? 'rule.case.passes' : 'rule.case.fails')}
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
  )
}
