/** Back-tests of a rule: a form that starts one, how far each is, and what the chosen one found. */
import { Button, NumericInput, ProgressBar } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useLive } from '#client/live/use-live.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag, type Tone } from '#client/ui/value/StatusTag.tsx'
import { listBacktests, startBacktest, stopBacktest } from '#shared/rules/backtest-api.ts'
import { RULE_TRIED } from '#shared/rules/rules-live.ts'
import { BACKTEST_DAYS_MOST } from '#shared/rules/trial-sets.ts'
import type { Rule, RuleVersion } from '../book/rule-types.ts'
import { BacktestFigures } from './BacktestFigures.tsx'
import type { Backtest } from './trial-types.ts'
import { VersionSelect } from './VersionSelect.tsx'

const EVENTS = [RULE_TRIED.type]
const DAYS = 90
const TONES = {
  running: 'info',
  done: 'good',
  cancelled: 'neutral',
  failed: 'bad',
} satisfies Record<Backtest['state'], Tone>

export function BacktestPane({
  rule,
  versions,
  mayStart,
}: {
  rule: Rule
  versions: readonly RuleVersion[]
  mayStart: boolean
}): ReactNode {
  const t = useText('rules')
  const { ruleId } = rule
  const { data, error, refetch } = useQuery(queryOf(listBacktests, { ruleId, pageSize: 20 }))
  const [chosen, setChosen] = useState<string | null>(null)
  useLive(EVENTS, () => void refetch())
  const rows = data?.rows ?? []
  // the newest one that has ended, until another is chosen
  const shown = rows.find(({ backtestId, state }) =>
    chosen === null ? state !== 'running' : backtestId === chosen,
  )
  const section = useRef<HTMLElement>(null)
  return (
    <section aria-label={t('trial.tab.backtest')} ref={section} tabIndex={-1}>
      <p className="rule-facts">{t('trial.backtestMeans')}</p>
      {mayStart && (
        <StartForm
          ruleId={ruleId}
          versions={versions}
          onStarted={() => {
            setChosen(null)
            void refetch()
          }}
        />
      )}
      {error && <ErrorPane error={error} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && <Empty reason={t('trial.noBacktests')} />}
      {rows.length > 0 && (
        <table className="trial-table">
          <thead>
            <tr>
              <th>{t('rule.col.versionNo')}</th>
              <th>{t('trial.range')}</th>
              <th className="trial-number">{t('trial.applications')}</th>
              <th>{t('rule.col.status')}</th>
              <th>{t('trial.startedBy')}</th>
              <th aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <BacktestLine
                key={row.backtestId}
                backtest={row}
                isShown={row === shown}
                mayStop={mayStart}
                onShow={() => setChosen(row.backtestId)}
                onStopped={() => {
                  // the button that was pressed is about to go
                  section.current?.focus()
                  void refetch()
                }}
              />
            ))}
          </tbody>
        </table>
      )}
      {shown && shown.state !== 'running' && (
        <BacktestFigures key={shown.backtestId} backtestId={shown.backtestId} />
      )}
    </section>
  )
}

function StartForm({
  ruleId,
  versions,
  onStarted,
}: {
  ruleId: string
  versions: readonly RuleVersion[]
  onStarted: () => void
}): ReactNode {
  const t = useText('rules')
  const start = useSend(startBacktest, { quiet: true })
  const [versionNo, setVersionNo] = useState(versions[0]?.versionNo ?? 1)
  const [days, setDays] = useState(DAYS)
  const isRight = Number.isInteger(days) && days >= 1 && days <= BACKTEST_DAYS_MOST
  return (
    <form
      className="trial-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isRight) void start.mutateAsync({ ruleId, versionNo, days }).then(onStarted, () => null)
      }}
    >
      <VersionSelect versions={versions} value={versionNo} onChange={setVersionNo} />
      <label className="trial-field">
        <span>{t('trial.days')}</span>
        <NumericInput
          value={days}
          min={1}
          max={BACKTEST_DAYS_MOST}
          buttonPosition="none"
          intent={isRight ? 'none' : 'danger'}
          onValueChange={setDays}
        />
      </label>
      <Button
        type="submit"
        icon="play"
        intent="primary"
        text={t('trial.start')}
        loading={start.isPending}
        disabled={!isRight}
      />
      {start.error !== null && (
        <p className="fault" role="alert">
          {failureText(start.error)}
        </p>
      )}
    </form>
  )
}

function BacktestLine({
  backtest,
  isShown,
  mayStop,
  onShow,
  onStopped,
}: {
  backtest: Backtest
  isShown: boolean
  mayStop: boolean
  onShow: () => void
  onStopped: () => void
}): ReactNode {
  const t = useText('rules')
  const stop = useSend(stopBacktest)
  const { backtestId, versionNo, state, progress, isStopping } = backtest
  const isRunning = state === 'running'
  return (
    <tr aria-current={isShown ? 'true' : undefined}>
      <td>v{versionNo}</td>
      <td>{t('trial.lastDays', { count: backtest.days })}</td>
      <td className="trial-number">
        {backtest.applications === null ? '—' : formatCount(backtest.applications)}
      </td>
      <td>
        {isRunning ? (
          <span className="trial-progress">
            <ProgressBar
              value={progress / 100}
              animate={false}
              stripes={false}
              intent="primary"
              aria-label={t('trial.state.running')}
            />
            {progress} %
          </span>
        ) : (
          <StatusTag tone={TONES[state]}>{t(`trial.state.${state}`)}</StatusTag>
        )}
      </td>
      <td>
        {backtest.startBy} <IstTime value={backtest.startTime} />
      </td>
      <td className="trial-number">
        {isRunning && mayStop && (
          <Button
            size="small"
            icon="stop"
            text={t('trial.stop')}
            disabled={isStopping}
            loading={stop.isPending}
            onClick={() => void stop.mutateAsync({ backtestId }).then(onStopped)}
          />
        )}
        {!isRunning && (
          <Button
            size="small"
            variant="minimal"
            text={t('trial.show')}
            aria-pressed={isShown}
            onClick={onShow}
          />
        )}
      </td>
    </tr>
  )
}
