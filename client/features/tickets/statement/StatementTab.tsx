/** Figures of the tickets created in a range of days, by day, type, department or person. */
import './statement.css'
import { type Text, useLanguage, useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearch, useSearchParams } from 'wouter'
import { queryOf } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { DayInput } from '#client/ui/form/DayInput.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { formatCount, formatIst, presetDays } from '#client/ui/value/ist-format.ts'
import { valueText } from '#client/ui/value/value-text.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { addDays, istDay } from '#shared/kernel/time.ts'
import {
  STATEMENT_GROUPS,
  type StatementGroup,
  TICKET_QUEUES,
} from '#shared/tickets/ticket-sets.ts'
import { ticketStatement } from '#shared/tickets/tickets-api.ts'
import type { StatementRow, TicketQueue } from '../ticket-types.ts'
import {
  meanText,
  readStatement,
  type StatementInput,
  STATEMENT_DAYS,
  totalOf,
} from './statement-view.ts'

const PRESETS = ['last7', 'thisMonth', 'lastMonth'] as const

export function StatementTab({ tabs }: { tabs: ReactNode }): ReactNode {
  const t = useText('tickets')
  const language = useLanguage()
  const [, setQuery] = useSearchParams()
  const today = istDay(serverNow())
  const input = readStatement(new URLSearchParams(useSearch()), today)
  const { data, error, isFetching, refetch } = useQuery({
    ...queryOf(
      ticketStatement,
      {
        dateFrom: input.from,
        dateTo: input.to,
        groupBy: input.by,
        ...(input.queue === null ? {} : { queue: input.queue }),
      },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  })
  const show = (change: Partial<StatementInput>) =>
    setQuery((now) => {
      const query = new URLSearchParams(now)
      for (const [name, value] of Object.entries(change)) {
        if (value === null) query.delete(name)
        else query.set(name, value)
      }
      return query
    })
  const rows = data?.rows ?? []
  return (
    <div className="statement" aria-busy={isFetching}>
      <div className="statement-bar">
        {tabs}
        <label className="statement-day">
          {t('statement.from')}{' '}
          <DayInput
            value={input.from}
            min={addDays(input.to, 1 - STATEMENT_DAYS)}
            max={input.to}
            onChange={(from) => typeof from === 'string' && show({ from })}
          />
        </label>
        <label className="statement-day">
          {t('statement.to')}{' '}
          <DayInput
            value={input.to}
            min={input.from}
            max={today}
            onChange={(to) => typeof to === 'string' && show({ to })}
          />
        </label>
        {PRESETS.map((preset) => {
          const { from, to } = presetDays(preset, serverNow())
          return (
            <Button
              key={preset}
              size="small"
              variant="minimal"
              text={t(`ui:preset.${preset}`)}
              onClick={() => show({ from, to })}
            />
          )
        })}
        <Segmented<StatementGroup>
          label={t('statement.by')}
          value={input.by}
          segments={STATEMENT_GROUPS.map((value) => ({
            value,
            label: t(`statement.group.${value}`),
          }))}
          onChange={(by) => show({ by })}
        />
        <Segmented<TicketQueue | 'both'>
          label={t('col.queue')}
          value={input.queue ?? 'both'}
          segments={(['both', ...TICKET_QUEUES] as const).map((value) => ({
            value,
            label: t(value === 'both' ? 'tab.all' : `queue.${value}`),
          }))}
          onChange={(value) => show({ queue: value === 'both' ? null : value })}
        />
      </div>
      {error && !data ? <ErrorPane error={error} onRetry={() => void refetch()} /> : null}
      {data && rows.length === 0 && (
        <Empty
          icon="chart"
          reason={t('statement.none')}
          action={{
            text: t('ui:preset.thisMonth'),
            onClick: () => show(presetDays('thisMonth', serverNow())),
          }}
        />
      )}
      {!data && !error && <div className="bp6-skeleton ticket-skeleton" />}
      {rows.length > 0 && (
        <div className="statement-scroll">
          <table className="plain-table is-wrapping statement-table">
            <thead>
              <tr>
                <th scope="col">{t(`statement.group.${input.by}`)}</th>
                {FIGURES.map((name) => (
                  <th key={name} scope="col" className="is-right">
                    {t(`statement.col.${name}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{nameOf(row)}</th>
                  <Figures row={row} t={t} />
                </tr>
              ))}
            </tbody>
            {rows.length > 1 && (
              <tfoot>
                <tr>
                  <th scope="row">{t('statement.total')}</th>
                  <Figures row={totalOf(rows)} t={t} />
                </tr>
              </tfoot>
            )}
          </table>
        </div>
      )}
      {data && (
        <p className="statement-as-of">
          {t('statement.asOf')} <IstTime value={data.asOf} style="seconds" />
        </p>
      )}
    </div>
  )

  function nameOf(row: StatementRow): string {
    if (input.by === 'day') return formatIst(row.key, 'day', language)
    if (input.by === 'type') return t(`type.${row.key}`)
    return (
      row.name ??
      t(row.key === '' ? (input.by === 'processor' ? 'nobody' : 'statement.noDepartment') : row.key)
    )
  }
}

const FIGURES = [
  'created',
  'finished',
  'open',
  'firstReply',
  'finish',
  'missed',
  'handovers',
  'escalated',
  'evaluation',
] as const

function Figures({ row, t }: { row: Omit<StatementRow, 'key' | 'name'>; t: Text }): ReactNode {
  const cells: Record<(typeof FIGURES)[number], string> = {
    created: formatCount(row.created),
    finished: formatCount(row.finished),
    open: formatCount(row.open),
    firstReply: valueText(row.avgFirstReplySec, 'seconds', t),
    finish: valueText(row.avgFinishSec, 'seconds', t),
    missed: formatCount(row.slaMissed),
    handovers: formatCount(row.handovers),
    escalated: formatCount(row.escalated),
    evaluation: meanText(row.avgEvaluation),
  }
  return FIGURES.map((name) => (
    <td key={name} className={`is-right${name === 'missed' && row.slaMissed > 0 ? ' is-bad' : ''}`}>
      {cells[name]}
    </td>
  ))
}
