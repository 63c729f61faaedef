/** What other features may use of the rules. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { queryOf } from '#client/session/query.ts'
import { listRuleActions, listRuleGroups, ruleDetail } from '#shared/rules/rule-api.ts'
import { tableDetail } from '#shared/rules/tables/table-api.ts'
import { useText } from '#client/base/use-text.ts'
import { ConditionText } from '#client/screen/conditions/ConditionText.tsx'
import { readCondition } from '#shared/conditions/condition.ts'
import type { DecisionTable } from '#shared/rules/tables/decision-table.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { TableText } from './tables/TableText.tsx'

/** The condition of a rule, from its JSON. */
export function RuleExpression({ json }: { json: string }): ReactNode {
  const condition = readCondition(JSON.parse(json))
  return condition && <ConditionText condition={condition} catalogue={RULE_CATALOGUE} />
}

/** A decision table, from its JSON. */
export function RuleTable({ json }: { json: string }): ReactNode {
  const t = useText('rules')
  // written by the server from a table it checked
  return <TableText table={JSON.parse(json) as DecisionTable} label={t('table.title')} />
}

// they load the form library and the editors
const RuleForm = lazyPart(() =>
  import('./book/RuleForm.tsx').then((m) => ({ default: m.RuleForm })),
)
const TableForm = lazyPart(() =>
  import('./tables/TableForm.tsx').then((m) => ({ default: m.TableForm })),
)

interface ChangeProps {
  id: string
  fromVersion: number
  onDone: () => void
  onClose: () => void
}

/** A new draft of a rule that begins with the fields of an earlier version. */
export function RuleChange({ id, ...props }: ChangeProps): ReactNode {
  const { data } = useQuery({ ...queryOf(ruleDetail, { ruleId: id }), gcTime: 0 })
  const groups = useQuery(queryOf(listRuleGroups, { pageSize: 100 }))
  const actions = useQuery(queryOf(listRuleActions, { pageSize: 100 }))
  if (!data || !groups.data || !actions.data) return null
  return (
    <RuleForm {...props} rule={data.rule} groups={groups.data.rows} actions={actions.data.rows} />
  )
}

/** The same of a decision table. */
export function TableChange({ id, ...props }: ChangeProps): ReactNode {
  const { data } = useQuery({ ...queryOf(tableDetail, { tableId: id }), gcTime: 0 })
  return data ? <TableForm {...props} table={data.table} /> : null
}
