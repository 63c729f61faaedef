import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { namespacesOf, valueText } from '#client/screen/conditions/condition-words.ts'
import { useSend } from '#client/session/query.ts'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { saveTableCase } from '#shared/rules/case-api.ts'
import { inputField, TABLE_CATALOGUE } from '#shared/rules/tables/decision-table.ts'
import { outputsOf } from '#shared/rules/tables/offer.ts'
import { testTable } from '#shared/rules/tables/table-api.ts'
import { ApplicationTest } from '../book/ApplicationTest.tsx'
import { outputWords } from '../book/case-words.ts'
import type { Table, TableTest } from './table-types.ts'
import { TableText } from './TableText.tsx'

/** Which row of the latest version one application hits, and what it gives. */
export function TableTestPane({
  table: { tableId },
  onKept,
}: {
  table: Table
  onKept: () => void
}): ReactNode {
  const test = useSend(testTable, { quiet: true })
  const keep = useSend(saveTableCase)
  return (
    <ApplicationTest
      run={(target) => test.mutateAsync({ tableId, ...target })}
      isRunning={test.isPending}
    >
      {(result) => (
        <Result
          result={result}
          isKeeping={keep.isPending}
          keep={() => void keep.mutateAsync({ tableId, ...caseOf(result) }).then(onKept)}
        />
      )}
    </ApplicationTest>
  )
}

function caseOf({ orderId, facts, open, row, table }: TableTest) {
  const expects = open ? 'notEvaluated' : row === null ? 'noHit' : 'hit'
  return {
    name: orderId,
    facts,
    expects,
    ...(row !== null && { gives: outputsOf(table, row) }),
  } as const
}

function Result({
  result,
  keep,
  isKeeping,
}: {
  result: TableTest
  keep: () => void
  isKeeping: boolean
}): ReactNode {
  const t = useText('rules', 'conditions', ...namespacesOf(TABLE_CATALOGUE))
  const language = useLanguage()
  const { orderId, versionNo, row, open, facts, table, cells, before, after } = result
  return (
    <div className="rule-result" aria-live="polite">
      <p className="rule-version-head">
        <strong>{orderId}</strong>
        <StatusTag tone={open ? 'warn' : row === null ? 'neutral' : 'good'}>
          {open
            ? t('rule.outcome.notEvaluated')
            : row === null
              ? t('table.noRow')
              : t('table.hitRow', { n: row + 1 })}
        </StatusTag>
        <span>v{versionNo}</span>
        <Button
          size="small"
          icon="plus"
          text={t('rule.test.keep')}
          loading={isKeeping}
          onClick={keep}
        />
        {open && (
          <span>
            {t('table.openAt', {
              n: open.row + 1,
              name: t(inputField(table.inputs[open.column] ?? '')?.text ?? ''),
              cause: t(`conditions:cause.${open.cause}`),
            })}
          </span>
        )}
      </p>
      <TableText table={table} label={t('rule.test.title')} hit={row} cells={cells} />
      <dl className="rule-changes" aria-label={t('rule.test.values')}>
        {table.inputs.flatMap((name) => {
          const field = inputField(name)
          const fact = facts[name]
          if (field === undefined) return []
          return (
            <div key={name}>
              <dt>{t(field.text)}</dt>
              <dd>
                {fact === undefined
                  ? t('rule.test.missing')
                  : fact === null
                    ? t('rule.test.empty')
                    : valueText(t, field, fact, language)}
              </dd>
            </div>
          )
        })}
      </dl>
      <dl className="rule-changes" aria-label={t('table.gives')}>
        {(['limit', 'serviceRate', 'dailyRate', 'priority'] as const).map((name) => (
          <div key={name}>
            <dt>{t(`table.output.${name}`)}</dt>
            <dd>
              {before[name] !== after[name] && `${outputWords(name, before[name])} → `}
              <strong>{outputWords(name, after[name])}</strong>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
