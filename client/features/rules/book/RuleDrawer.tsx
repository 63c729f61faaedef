/** A rule with its versions and what each changed, a test on one application, and its test cases. */
import '../rules.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useLive } from '#client/live/use-live.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { saveRuleCase } from '#shared/rules/case-api.ts'
import { ruleDetail, testRule } from '#shared/rules/rule-api.ts'
import { RULE_CHANGED } from '#shared/rules/rules-live.ts'
import { CasesPane } from './CasesPane.tsx'
import { fieldsIn } from './fields-in.ts'
import { ruleName } from '../shipped-words.ts'
import type { Rule } from './rule-types.ts'
import { TestPane } from './TestPane.tsx'
import { VersionsPane } from './VersionsPane.tsx'

const EVENTS = [RULE_CHANGED.type]

export function RuleDrawer({
  rule,
  may,
  onClose,
}: {
  rule: Rule
  may: (endpoint: Pick<Endpoint, 'access'>) => boolean
  onClose: () => void
}): ReactNode {
  const t = useText('rules')
  const { data, error, refetch } = useQuery(queryOf(ruleDetail, { ruleId: rule.ruleId }))
  useLive(EVENTS, () => void refetch())
  const save = useSend(saveRuleCase)
  const mayTest = may(testRule)
  const latest = data?.versions[0]
  return (
    <SideDrawer
      isOpen
      title={`${rule.ruleId} · ${ruleName(t, rule.ruleId, rule.name)}`}
      width={760}
      onClose={onClose}
    >
      <div className="rule-drawer">
        {error && <ErrorPane error={error} onRetry={() => void refetch()} />}
        {data && latest && (
          <>
            <VersionsPane ruleId={rule.ruleId} versions={data.versions} />
            {mayTest && <TestPane rule={data.rule} onKept={() => void refetch()} />}
            <CasesPane
              cases={data.cases}
              fields={fieldsIn(latest.expression)}
              save={(fields) => save.mutateAsync({ ruleId: rule.ruleId, ...fields })}
              mayEdit={mayTest}
              onChanged={() => void refetch()}
            />
          </>
        )}
        {!data && !error && <p role="status">{t('ui:grid.loading')}</p>}
      </div>
    </SideDrawer>
  )
}
