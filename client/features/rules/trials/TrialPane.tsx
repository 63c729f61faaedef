/** The trial of a rule that runs, those before it, and the form that begins one. */
import { Button } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useLive } from '#client/live/use-live.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { RULE_TRIED } from '#shared/rules/rules-live.ts'
import { listTrials, stopTrial } from '#shared/rules/trial-api.ts'
import { MACHINE_ROUTES, TRIAL_SIDES } from '#shared/rules/trial-sets.ts'
import type { Rule, RuleVersion } from '../book/rule-types.ts'
import { RouteMatrix } from './RouteMatrix.tsx'
import { shareText } from './route-words.ts'
import type { Trial, TrialRowsInput } from './trial-types.ts'
import { TrialForm } from './TrialForm.tsx'
import { TrialRows } from './TrialRows.tsx'

const EVENTS = [RULE_TRIED.type]
const REASON = { min: 4, max: 200 }

export function TrialPane({
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
  const { data, error, refetch } = useQuery(queryOf(listTrials, { ruleId, pageSize: 20 }))
  useLive(EVENTS, () => void refetch())
  const isRunning = data?.rows.some(({ endTime }) => endTime === null)
  const section = useRef<HTMLElement>(null)
  function again(): void {
    // what was pressed is about to go; without the focus the keys of the drawer would reach nothing
    section.current?.focus()
    void refetch()
  }
  return (
    <section aria-label={t('trial.tab.trial')} ref={section} tabIndex={-1}>
      <p className="rule-facts">{t('trial.trialMeans')}</p>
      {error && <ErrorPane error={error} onRetry={() => void refetch()} />}
      {data && !isRunning && mayStart && (
        <TrialForm rule={rule} versions={versions} onStarted={again} />
      )}
      {data?.rows.length === 0 && <Empty reason={t('trial.noTrials')} />}
      {data?.rows.map((trial) => (
        <TrialCard key={trial.trialId} trial={trial} mayStop={mayStart} onStopped={again} />
      ))}
    </section>
  )
}

function TrialCard({
  trial,
  mayStop,
  onStopped,
}: {
  trial: Trial
  mayStop: boolean
  onStopped: () => void
}): ReactNode {
  const t = useText('rules')
  const stop = useSend(stopTrial)
  const [isConfirming, setConfirming] = useState(false)
  const [shown, setShown] = useState<TrialRowsInput | null>(null)
  const { trialId, kind, versionNo, percent, endTime } = trial
  const title = t(`trial.kindOf.${kind}`, { n: versionNo, percent: percent ?? 0 })
  return (
    <article className="trial-card" aria-label={title}>
      <p className="rule-version-head">
        <strong>{title}</strong>
        <StatusTag tone={endTime === null ? 'info' : 'neutral'}>
          {t(endTime === null ? 'trial.runs' : 'trial.ended')}
        </StatusTag>
        <span>
          {trial.startBy} <IstTime value={trial.startTime} />
        </span>
        {endTime !== null && (
          <span>
            {t('trial.endedBy', { name: trial.endBy ?? '' })} <IstTime value={endTime} />
          </span>
        )}
        {endTime === null && mayStop && (
          <Button
            size="small"
            icon="stop"
            text={t('trial.stop')}
            onClick={() => setConfirming(true)}
          />
        )}
      </p>
      <p className="rule-facts">{trial.reason}</p>
      {kind === 'shadow' ? (
        <>
          <p className="trial-counted" aria-live="polite">
            {t('trial.counted', {
              judged: formatCount(trial.judged),
              different: formatCount(trial.different),
            })}
          </p>
          <RouteMatrix
            label={t('trial.matrix', { n: versionNo })}
            cells={trial.cells}
            onOpen={(happened, would) => setShown({ trialId, happened, would })}
          />
        </>
      ) : (
        <Sides trial={trial} onOpen={(side) => setShown({ trialId, side })} />
      )}
      {shown && (
        <TrialRows key={JSON.stringify(shown)} input={shown} onClose={() => setShown(null)} />
      )}
      <ConfirmAction
        isOpen={isConfirming}
        title={t('trial.askStop')}
        reason={REASON}
        confirmText={t('trial.stop')}
        intent="danger"
        onConfirm={async (reason) => {
          await stop.mutateAsync({ trialId, reason })
          setConfirming(false)
          onStopped()
        }}
        onClose={() => setConfirming(false)}
      >
        <p>{t('trial.stopMeans')}</p>
      </ConfirmAction>
    </article>
  )
}

/** Where the applications of both sides went; how they were paid is in the report of risks. */
function Sides({
  trial: { cells },
  onOpen,
}: {
  trial: Trial
  onOpen: (side: (typeof TRIAL_SIDES)[number]) => void
}): ReactNode {
  const t = useText('rules')
  return (
    <>
      <table className="trial-table">
        <thead>
          <tr>
            <th>{t('trial.sideOf')}</th>
            <th className="trial-number">{t('trial.applications')}</th>
            {MACHINE_ROUTES.map((route) => (
              <th key={route} className="trial-number">
                {t(`trial.route.${route}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {TRIAL_SIDES.map((side) => {
            const own = cells.filter((cell) => cell.side === side)
            const all = own.reduce((sum, { n }) => sum + n, 0)
            return (
              <tr key={side}>
                <td>{t(`trial.side.${side}`)}</td>
                <td className="trial-number">
                  {all === 0 ? (
                    0
                  ) : (
                    <button
                      type="button"
                      className="trial-cell"
                      aria-label={`${t(`trial.side.${side}`)}: ${formatCount(all)}`}
                      onClick={() => onOpen(side)}
                    >
                      {formatCount(all)}
                    </button>
                  )}
                </td>
                {MACHINE_ROUTES.map((route) => (
                  <td key={route} className="trial-number">
                    {shareText(own.find(({ happened }) => happened === route)?.n ?? 0, all)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="rule-facts">{t('trial.inReport')}</p>
    </>
  )
}
