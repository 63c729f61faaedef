/** The current run, what happened since the desk was opened, and the last runs with their undo. */
import { useLanguage, useText } from '#client/base/use-text.ts'
import { ProgressBar } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useSend } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { actorLabel } from '#client/session/actor-label.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { steerRun } from '#shared/collection/allocation-api.ts'
import { formatBasisPoints } from '#shared/kernel/money.ts'
import type { Plan } from './use-allocation-plan.ts'
import type { DeskNews, Run } from './use-desk-news.ts'

interface AllocationRunsProps {
  news: DeskNews
  /** Shown with the people who would get cases. */
  plan: Plan | null
  mayRun: boolean
  offline: string | null
  onUndo: (run: Run) => void
}

export function AllocationRuns({
  news: { runs, running, feed, readAgain },
  plan,
  mayRun,
  offline,
  onUndo,
}: AllocationRunsProps): ReactNode {
  const t = useText('collection')
  const language = useLanguage()
  const receivers = (plan?.rows ?? [])
    .filter(({ gets }) => gets > 0)
    .toSorted((a, b) => b.gets - a.gets)
  return (
    <section className="alloc-runs" aria-label={t('alloc.runsTitle')}>
      {running !== null && <Running run={running} offline={offline} onSteered={readAgain} />}
      {receivers.length > 0 && (
        <>
          <h2>{t('alloc.preview')}</h2>
          <ul className="alloc-receivers">
            {receivers.map((line) => (
              <li key={line.collectorId}>
                {line.collectorName} <strong className="tabular">+{line.gets}</strong>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{t('alloc.feed')}</h2>
      {feed.length === 0 ? (
        <p className="case-note">{t('alloc.feedEmpty')}</p>
      ) : (
        <ol className="alloc-feed">
          {feed.map((line) => (
            <li key={line.id}>
              <span className="tabular">{formatIst(line.time, 'time', language)}</span> {line.text}
            </li>
          ))}
        </ol>
      )}
      {mayRun && <h2>{t('alloc.recent')}</h2>}
      <ul className="alloc-recent">
        {runs
          .filter((run) => run !== running)
          .map((run) => (
            <li key={run.runId}>
              <p>
                <strong>{run.runId}</strong> <IstTime value={run.startTime} /> ·{' '}
                {t(`runState.${run.state}`)}
              </p>
              <p className="case-note">
                {t('alloc.runLine', {
                  done: run.done,
                  total: run.total,
                  stages: run.stageIds.join(', '),
                })}{' '}
                · {actorLabel(run.startBy)}
              </p>
              <p className="case-note">
                <Terms run={run} />
              </p>
              {run.undoable > 0 && (
                <ActionButton
                  size="small"
                  icon="undo"
                  text={t('alloc.undo', { cases: run.undoable })}
                  disabledReason={offline}
                  onClick={() => onUndo(run)}
                />
              )}
            </li>
          ))}
      </ul>
    </section>
  )
}

/** The mode of the run and how far the result is from the weights. */
function Terms({ run }: { run: Run }): ReactNode {
  const t = useText('collection')
  return `${t(`mode.${run.mode}`)} · ${t('alloc.deviation')} ${formatBasisPoints(run.maxDeviation)}`
}

function Running({
  run,
  offline,
  onSteered,
}: {
  run: Run
  offline: string | null
  onSteered: () => void
}): ReactNode {
  const t = useText('collection')
  const steer = useSend(steerRun)
  const steerTo = (to: 'paused' | 'running' | 'cancelled') =>
    steer.mutateAsync({ runId: run.runId, to }).then(onSteered)
  const tried = run.done + run.failed
  return (
    <div className="alloc-running">
      <h2>
        {run.runId}{' '}
        <StatusTag tone={run.state === 'paused' ? 'warn' : 'info'}>
          {t(`runState.${run.state}`)}
        </StatusTag>
      </h2>
      <ProgressBar
        value={run.total === 0 ? 0 : tried / run.total}
        intent="primary"
        animate={run.state === 'running'}
        stripes={run.state === 'running'}
      />
      <p className="tabular" role="status">
        {run.total > 0 && `${tried}/${run.total}`}{' '}
        {run.state === 'running' && <Pace run={run} tried={tried} />}
      </p>
      <p className="case-note">
        <Terms run={run} />
      </p>
      <div className="alloc-buttons">
        {run.state === 'running' ? (
          <ActionButton
            size="small"
            icon="pause"
            text={t('alloc.pause')}
            disabledReason={offline}
            onClick={() => steerTo('paused')}
          />
        ) : (
          <ActionButton
            size="small"
            icon="play"
            text={t('alloc.resume')}
            disabledReason={offline}
            onClick={() => steerTo('running')}
          />
        )}
        <ActionButton
          size="small"
          icon="stop"
          intent="danger"
          text={t('alloc.cancel')}
          disabledReason={offline}
          onClick={() => steerTo('cancelled')}
        />
      </div>
    </div>
  )
}

/** Speed and remaining time, from what the run has done since it began. */
function Pace({ run, tried }: { run: Run; tried: number }): ReactNode {
  const t = useText('collection')
  const [now, setNow] = useState(() => serverNow())
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = (new Date(now).getTime() - new Date(run.startTime).getTime()) / 1_000
  if (tried === 0 || seconds < 1) return null
  const rate = tried / seconds
  return t('alloc.pace', {
    rate: Math.max(1, Math.round(rate)),
    left: Math.ceil((run.total - tried) / rate),
  })
}
