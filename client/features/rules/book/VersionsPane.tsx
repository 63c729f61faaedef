import type { ReactNode } from 'react'
import type { Text } from '#client/base/use-text.ts'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { ConditionText } from '#client/screen/conditions/ConditionText.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { conditionText } from '#shared/conditions/condition.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { actionName, groupName, ruleName, ruleOutput } from '../shipped-words.ts'
import { SaveFileButton } from '../tables/FileButtons.tsx'
import { VERSION_TONES } from '../version-tones.ts'
import type { RuleVersion } from './rule-types.ts'

/** The newest first; each with what it changed from the one before. */
export function VersionsPane({
  ruleId,
  versions,
}: {
  ruleId: string
  versions: readonly RuleVersion[]
}): ReactNode {
  const t = useText('rules')
  return (
    <section aria-label={t('rule.versions')}>
      <h3>{t('rule.versions')}</h3>
      <ol className="rule-versions">
        {versions.map((version, i) => (
          <li key={version.versionNo}>
            <Version ruleId={ruleId} version={version} before={versions[i + 1]} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Version({
  ruleId,
  version,
  before,
}: {
  ruleId: string
  version: RuleVersion
  before: RuleVersion | undefined
}): ReactNode {
  const t = useText('rules')
  const language = useLanguage()
  const { versionNo, state, createBy, createTime, enableBy, enableTime, expression } = version
  const time = (instant: string) => formatIst(instant, 'dayTime', language) ?? ''
  const isSame = before && conditionText(before.expression) === conditionText(expression)
  return (
    <>
      <p className="rule-version-head">
        <strong>v{versionNo}</strong>
        <StatusTag tone={VERSION_TONES[state]}>{t(`rule.versionState.${state}`)}</StatusTag>
        {createBy !== '' && (
          <span>{t('rule.savedBy', { name: createBy, time: time(createTime) })}</span>
        )}
        {state === 'enabled' && enableTime && enableBy && (
          <span>{t('rule.enabledBy', { name: enableBy, time: time(enableTime) })}</span>
        )}
        <SaveFileButton id={ruleId} versionNo={versionNo} />
      </p>
      {before && <Changes ruleId={ruleId} version={version} before={before} />}
      {!before && <Facts ruleId={ruleId} version={version} />}
      {before && !isSame && (
        <div className="rule-difference">
          <div>
            <span className="rule-side">{t('rule.before')}</span>
            <ConditionText condition={before.expression} catalogue={RULE_CATALOGUE} />
          </div>
          <div>
            <span className="rule-side">{t('rule.after')}</span>
            <ConditionText condition={expression} catalogue={RULE_CATALOGUE} />
          </div>
        </div>
      )}
      {(!before || isSame) && <ConditionText condition={expression} catalogue={RULE_CATALOGUE} />}
    </>
  )
}

function Facts({ ruleId, version }: { ruleId: string; version: RuleVersion }): ReactNode {
  const t = useText('rules')
  const sentences = sentencesOf(ruleId, version, t)
  return (
    <p className="rule-facts">
      {[
        sentences.action,
        sentences.refusalCode,
        sentences.output,
        sentences.group,
        sentences.priority,
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
  )
}

function Changes({
  ruleId,
  version,
  before,
}: {
  ruleId: string
  version: RuleVersion
  before: RuleVersion
}): ReactNode {
  const t = useText('rules')
  const [was, is] = [sentencesOf(ruleId, before, t), sentencesOf(ruleId, version, t)]
  const changed = (Object.keys(is) as (keyof typeof is)[]).filter((name) => was[name] !== is[name])
  const isSame =
    changed.length === 0 && conditionText(before.expression) === conditionText(version.expression)
  return (
    <>
      <p className="rule-facts">
        {t(isSame ? 'rule.noChanges' : 'rule.changes', { n: before.versionNo })}
      </p>
      {changed.length > 0 && (
        <dl className="rule-changes">
          {changed.map((name) => (
            <div key={name}>
              <dt>{t(`rule.col.${name}`)}</dt>
              <dd>
                {was[name] || '—'} → <strong>{is[name] || '—'}</strong>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

/** Sentences that describe a version, beside its condition. */
function sentencesOf(ruleId: string, version: RuleVersion, t: Text) {
  return {
    name: ruleName(t, ruleId, version.name),
    type: t(`rule.type.${version.type}`),
    group: groupName(t, version.groupId, version.groupName),
    priority: String(version.priority),
    mode: t(`rule.mode.${version.mode}`),
    action: actionName(t, version.actionId, version.actionName),
    refusalCode: version.refusalCode ?? '',
    output: ruleOutput(t, version.output ?? ''),
    description: version.description ?? '',
  }
}
