import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { valueText } from '#client/screen/conditions/condition-words.ts'
import { ConditionText } from '#client/screen/conditions/ConditionText.tsx'
import { useSend } from '#client/session/query.ts'
import { StatusTag, type Tone } from '#client/ui/value/StatusTag.tsx'
import { fieldOf } from '#shared/conditions/catalogue.ts'
import { saveRuleCase } from '#shared/rules/case-api.ts'
import { testRule } from '#shared/rules/rule-api.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import type { RuleOutcome } from '#shared/rules/rule-sets.ts'
import { ApplicationTest } from './ApplicationTest.tsx'
import { evaluationOf } from './evaluation-of.ts'
import { fieldsIn } from './fields-in.ts'
import type { Rule, RuleTest } from './rule-types.ts'

export const OUTCOME_TONES = {
  hit: 'bad',
  noHit: 'good',
  notEvaluated: 'warn',
} satisfies Record<RuleOutcome, Tone>

/** Result of the latest version for one application, node by node. */
export function TestPane({
  rule: { ruleId },
  onKept,
}: {
  rule: Rule
  onKept: () => void
}): ReactNode {
  const t = useText('rules')
  const test = useSend(testRule, { quiet: true })
  const keep = useSend(saveRuleCase)
  return (
    <ApplicationTest
      run={(target) => test.mutateAsync({ ruleId, ...target })}
      isRunning={test.isPending}
    >
      {(result) => (
        <div className="rule-result" aria-live="polite">
          <p className="rule-version-head">
            <strong>{result.orderId}</strong>
            <StatusTag tone={OUTCOME_TONES[result.outcome]}>
              {t(`rule.outcome.${result.outcome}`)}
            </StatusTag>
            <span>v{result.versionNo}</span>
            <Button
              size="small"
              icon="plus"
              text={t('rule.test.keep')}
              loading={keep.isPending}
              onClick={() =>
                void keep
                  .mutateAsync({
                    ruleId,
                    name: String(result.orderId),
                    facts: result.facts,
                    expects: result.outcome,
                  })
                  .then(onKept)
              }
            />
          </p>
          <ConditionText
            condition={result.expression}
            catalogue={RULE_CATALOGUE}
            evaluation={evaluationOf(result)}
          />
          <Values result={result} />
        </div>
      )}
    </ApplicationTest>
  )
}

function Values({ result: { facts, expression } }: { result: RuleTest }): ReactNode {
  const t = useText('rules', 'conditions')
  const language = useLanguage()
  return (
    <dl className="rule-changes" aria-label={t('rule.test.values')}>
      {fieldsIn(expression).flatMap((name) => {
        const field = fieldOf(RULE_CATALOGUE, name)
        if (field === undefined) return []
        const fact = facts[name]
        const unit = field.unit === undefined ? '' : ` ${t(field.unit)}`
        return (
          <div key={name}>
            <dt>{t(field.text)}</dt>
            <dd>
              {fact === undefined
                ? t('rule.test.missing')
                : fact === null
                  ? t('rule.test.empty')
                  : `${valueText(t, field, fact, language)}${unit}`}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
