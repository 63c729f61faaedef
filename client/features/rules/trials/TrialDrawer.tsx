/** What a version of a rule would do: on past applications, beside the version in force, for a share. */
import '../rules.css'
import './trials.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useLive } from '#client/live/use-live.ts'
import { queryOf } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { startBacktest } from '#shared/rules/backtest-api.ts'
import { ruleDetail } from '#shared/rules/rule-api.ts'
import { RULE_CHANGED } from '#shared/rules/rules-live.ts'
import { startTrial } from '#shared/rules/trial-api.ts'
import type { Rule } from '../book/rule-types.ts'
import { ruleName } from '../shipped-words.ts'
import { BacktestPane } from './BacktestPane.tsx'
import { TrialPane } from './TrialPane.tsx'

const EVENTS = [RULE_CHANGED.type, APPROVAL_CHANGED.type]
const TABS = ['backtest', 'trial'] as const
type Tab = (typeof TABS)[number]

export function TrialDrawer({
  rule,
  may,
  onClose,
}: {
  rule: Rule
  may: (endpoint: Pick<Endpoint, 'access'>) => boolean
  onClose: () => void
}): ReactNode {
  const t = useText('rules')
  const [tab, setTab] = useState<Tab>('backtest')
  const { data, error, refetch } = useQuery(queryOf(ruleDetail, { ruleId: rule.ruleId }))
  useLive(EVENTS, () => void refetch())
  return (
    <SideDrawer
      isOpen
      title={`${rule.ruleId} · ${ruleName(t, rule.ruleId, rule.name)}`}
      width={980}
      onClose={onClose}
    >
      <div className="rule-drawer trial-drawer">
        <Segmented
          label={t('trial.open')}
          segments={TABS.map((value) => ({ value, label: t(`trial.tab.${value}`) }))}
          value={tab}
          onChange={setTab}
        />
        {error && <ErrorPane error={error} onRetry={() => void refetch()} />}
        {data && tab === 'backtest' && (
          <BacktestPane rule={data.rule} versions={data.versions} mayStart={may(startBacktest)} />
        )}
        {data && tab === 'trial' && (
          <TrialPane rule={data.rule} versions={data.versions} mayStart={may(startTrial)} />
        )}
        {!data && !error && <p role="status">{t('ui:grid.loading')}</p>}
      </div>
    </SideDrawer>
  )
}
