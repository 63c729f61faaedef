/** How the machine decided an application: its tables, rules and shares as they were then. */
import '../rules.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { ConditionText } from '#client/screen/conditions/ConditionText.tsx'
import { queryOf } from '#client/session/query.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { orderDecision } from '#shared/rules/decision-api.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { inputField } from '#shared/rules/tables/decision-table.ts'
import { evaluationOf } from '../book/evaluation-of.ts'
import { outputWords } from '../book/case-words.ts'
import { OUTCOME_TONES } from '../book/TestPane.tsx'
import { ruleName, tableName } from '../shipped-words.ts'
import { TableText } from '../tables/TableText.tsx'

type Decision = NonNullable<DataOf<typeof orderDecision>['decision']>

export function OrderDecision({ orderId }: { orderId: string }): ReactNode {
  const t = useText('rules', 'conditions')
  const { data, error, refetch } = useQuery(queryOf(orderDecision, { orderId }))
  if (error) return <ErrorPane error={error} onRetry={() => void refetch()} />
  if (!data) return <p role="status">{t('ui:grid.loading')}</p>
  const { decision } = data
  if (decision === null) return <Empty reason={t('decision.none')} icon="comparison" />
  const spoke = decision.rules.filter(hasSpoken)
  const silent = decision.rules.filter((rule) => !hasSpoken(rule))
  return (
    <div className="order-decision">
      <Head decision={decision} />
      <Sides sides={decision.sides} />
      {decision.tables.map((table) => (
        <DecidedTable key={table.tableId} table={table} />
      ))}
      <section aria-label={t('decision.rules')}>
        <h3>{t('decision.rules')}</h3>
        {spoke.length === 0 && <p className="rule-facts">{t('decision.noHits')}</p>}
        {spoke.map((rule) => (
          <DecidedRule key={rule.ruleId} rule={rule} />
        ))}
        {silent.length > 0 && (
          <details>
            <summary>{t('decision.silent', { n: silent.length })}</summary>
            <ul className="decision-silent">
              {silent.map(({ ruleId, name, versionNo }) => (
                <li key={ruleId}>
                  {ruleId} {ruleName(t, ruleId, name)} {versionNo !== null && `v${versionNo}`}
                </li>
              ))}
            </ul>
          </details>
        )}
      </section>
    </div>
  )
}

/** A value that is known to be empty is an answer: the comparison does not hold. */
const hasSpoken = ({ outcome, cause }: Decision['rules'][number]) =>
  outcome !== 'noHit' && cause !== 'empty'

function Head({ decision: { result, machineId, time, limit } }: { decision: Decision }): ReactNode {
  const t = useText('rules', 'review')
  return (
    <p className="rule-version-head">
      {result !== null && (
        <strong>{t(`review:machine.${result}`, { defaultValue: result })}</strong>
      )}
      <IstTime value={time} />
      {limit !== null && (
        <span>
          {t('table.output.limit')} <Money paise={limit} />
        </span>
      )}
      {machineId !== null && <span className="rule-side">{machineId}</span>}
    </p>
  )
}

/** By which side of each share it was decided. */
function Sides({ sides }: Pick<Decision, 'sides'>): ReactNode {
  const t = useText('rules')
  if (sides.length === 0) return null
  return (
    <ul className="decision-sides" aria-label={t('trial.kindName.share')}>
      {sides.map(({ ruleId, name, side, versionNo, percent }) => (
        <li key={ruleId}>
          <StatusTag tone={side === 'challenger' ? 'info' : 'neutral'}>
            {t(`trial.side.${side}`)}
          </StatusTag>{' '}
          {ruleId} {ruleName(t, ruleId, name)}{' '}
          {t(versionNo === null ? 'decision.noVersion' : 'decision.ofShare', {
            n: versionNo,
            percent,
          })}
        </li>
      ))}
    </ul>
  )
}

function DecidedTable({ table: decided }: { table: Decision['tables'][number] }): ReactNode {
  const t = useText('rules', 'conditions')
  const { tableId, versionNo, name, row, open, before, after, table, cells } = decided
  const title = `${tableId} · ${tableName(t, tableId, name)}`
  const openName = open && inputField(table.inputs[open.column] ?? '')?.text
  return (
    <section aria-label={title}>
      <h3 className="rule-version-head">
        {title} <span>v{versionNo}</span>
        <StatusTag tone={open ? 'warn' : row === null ? 'neutral' : 'good'}>
          {open
            ? t('rule.outcome.notEvaluated')
            : row === null
              ? t('table.noRow')
              : t('table.hitRow', { n: row + 1 })}
        </StatusTag>
      </h3>
      {open && openName && (
        <p className="rule-facts">
          {t('table.openAt', {
            n: open.row + 1,
            name: t(openName),
            cause: t(`conditions:cause.${open.cause}`),
          })}
        </p>
      )}
      <dl className="rule-changes" aria-label={t('table.gives')}>
        {(['limit', 'serviceRate', 'dailyRate', 'priority'] as const).map((output) => (
          <div key={output}>
            <dt>{t(`table.output.${output}`)}</dt>
            <dd>
              {before[output] !== after[output] && `${outputWords(output, before[output])} → `}
              <strong>{outputWords(output, after[output])}</strong>
            </dd>
          </div>
        ))}
      </dl>
      <TableText table={table} label={title} hit={row} cells={cells} />
    </section>
  )
}

function DecidedRule({ rule }: { rule: Decision['rules'][number] }): ReactNode {
  const t = useText('rules', 'conditions')
  const { ruleId, name, versionNo, outcome, cause, output, why } = rule
  return (
    <div className="decision-rule">
      <p className="rule-version-head">
        <strong>
          {ruleId} {ruleName(t, ruleId, name)}
        </strong>
        {versionNo !== null && <span>v{versionNo}</span>}
        <StatusTag tone={OUTCOME_TONES[outcome]}>{t(`rule.outcome.${outcome}`)}</StatusTag>
        {cause !== null && <span>{t(`conditions:cause.${cause}`)}</span>}
        {output !== null && <span>{output}</span>}
      </p>
      {why && (
        <ConditionText
          condition={why.expression}
          catalogue={RULE_CATALOGUE}
          evaluation={evaluationOf(why)}
        />
      )}
    </div>
  )
}
