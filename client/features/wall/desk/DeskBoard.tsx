import { useMeasureHelp } from '#client/features/reports/public.ts'
import { useLanguage, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { formatCount, formatNear } from '#client/ui/value/ist-format.ts'
import { Money } from '#client/ui/value/Money.tsx'
import { type Stage, StageTag, StatusTag } from '#client/ui/value/StatusTag.tsx'
import { formatBasisPoints, formatPaiseShort } from '#shared/kernel/money.ts'
import { istClock } from '#shared/kernel/time.ts'
import { ackAlert, type BoardFigures } from '#shared/wall/wall-api.ts'
import { RANKING_KINDS } from '#shared/wall/wall-sets.ts'
import { alertValue, waited } from '../waited.ts'
import { DeskCharts } from './DeskCharts.tsx'

/** A whole board on one page: figures, stages, ranking, alerts, queues and the latest events. */
export function DeskBoard({
  figures,
  agencyId,
}: {
  figures: BoardFigures
  agencyId: string | undefined
}): ReactNode {
  const t = useText('wall')
  const language = useLanguage()
  const help = useMeasureHelp()
  const { tiles, queues, work, run } = figures
  const age = (since: string | null) =>
    since === null ? '' : t('tile.oldest', { age: waited(since, serverNow(), t) })
  const payments = t('tile.payments', {
    count: tiles.recoveredCount,
    shown: formatCount(tiles.recoveredCount),
  })
  const targetText =
    tiles.target === null
      ? t('desk.noTarget')
      : t('tile.ofTarget', {
          share:
            tiles.target === 0
              ? '—'
              : formatBasisPoints(Math.floor((tiles.recoveredToday * 10_000) / tiles.target)),
          target: formatPaiseShort(tiles.target),
        })
  return (
    <div className="desk-board" role="region" aria-label={t('menu.loaned_board')} tabIndex={0}>
      <dl className="desk-tiles">
        <Figure
          label={t('desk.recovered')}
          help={help('collectedAmount')}
          value={formatPaiseShort(tiles.recoveredToday)}
          sub={
            <>
              <span className="desk-whole">{payments}</span>
              <span className="desk-whole">{targetText}</span>
            </>
          }
        />
        <Figure
          label={t('tile.kept')}
          value={tiles.ptpKeptRate === null ? '—' : formatBasisPoints(tiles.ptpKeptRate)}
          sub={t('tile.days7')}
        />
        <Figure
          label={t('tile.unallocated')}
          value={formatCount(tiles.unallocated)}
          sub={age(tiles.unallocatedOldest)}
        />
        <Figure
          label={t('desk.openCases')}
          value={formatCount(tiles.openCases)}
          sub={formatPaiseShort(tiles.outstanding)}
        />
        <Figure
          label={t('tile.promises')}
          value={formatCount(tiles.ptpToday)}
          sub={formatPaiseShort(tiles.ptpTodayAmount)}
        />
        <Figure
          label={t('tile.calls')}
          value={formatCount(tiles.calls)}
          sub={t('tile.contacted', { count: tiles.contacted, shown: formatCount(tiles.contacted) })}
        />
        <Figure
          label={t('tile.reached')}
          value={tiles.reachRate === null ? '—' : formatBasisPoints(tiles.reachRate)}
          sub={t('tile.ofContacts')}
        />
        <Figure
          label={t('desk.onlineDuty')}
          value={`${formatCount(tiles.online)} / ${formatCount(tiles.onDuty)}`}
          sub={t('desk.asOf', { time: istClock(figures.asOf) })}
        />
      </dl>
      {run && run.total > 0 ? (
        <div className="desk-run" role="status">
          <span>
            {t(run.state === 'paused' ? 'run.paused' : 'run.running', {
              done: formatCount(run.done),
              total: formatCount(run.total),
            })}
          </span>
          <progress
            max={Math.max(1, run.total)}
            value={run.done}
            aria-label={t('run.running', { done: run.done, total: run.total })}
          />
        </div>
      ) : null}
      {figures.alerts.length > 0 ? <Alerts alerts={figures.alerts} agencyId={agencyId} /> : null}
      <DeskCharts figures={figures} />
      <div className="desk-columns">
        <section>
          <h2>{t('desk.byStage')}</h2>
          <table className="desk-table">
            <thead>
              <tr>
                <th scope="col">{t('desk.stage')}</th>
                <Head text={t('desk.cases')} />
                <Head text={t('desk.outstanding')} />
                <Head text={t('desk.recovered')} />
                <Head text={t('desk.rate')} />
              </tr>
            </thead>
            <tbody>
              {figures.stageTable.map((line) => (
                <tr key={line.stageId}>
                  <th scope="row">
                    <StageTag stage={line.stageId as Stage} />
                  </th>
                  <td>{formatCount(line.cases)}</td>
                  <td>
                    <Money paise={line.outstanding} />
                  </td>
                  <td>
                    <Money paise={line.recovered} />
                  </td>
                  <td>{formatBasisPoints(line.recoveryRate)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <h2>{t('desk.queues')}</h2>
          <dl className="desk-pairs">
            {queues ? (
              <>
                <div>
                  <dt>{t('tile.reviews')}</dt>
                  <dd>
                    {formatCount(queues.reviewWaiting)}{' '}
                    <small>{age(queues.reviewOldestTime)}</small>
                  </dd>
                </div>
                <div>
                  <dt>{t('tile.tickets')}</dt>
                  <dd>{formatCount(queues.ticketsOpen)}</dd>
                </div>
                <div>
                  <dt>{t('tile.failed')}</dt>
                  <dd>{formatCount(queues.disburseFailed)}</dd>
                </div>
              </>
            ) : null}
            <div>
              <dt>{t('tile.dueNow')}</dt>
              <dd>{formatCount(work.dueNow)}</dd>
            </div>
            <div>
              <dt>{t('tile.notContacted')}</dt>
              <dd>{formatCount(work.notContacted)}</dd>
            </div>
            <div>
              <dt>{t('tile.held')}</dt>
              <dd>{formatCount(work.held)}</dd>
            </div>
          </dl>
        </section>
        <section>
          {RANKING_KINDS.map((kind) => (
            <Ranking
              key={kind}
              kind={kind}
              lines={figures.ranking.filter((line) => line.kind === kind)}
            />
          ))}
        </section>
        <section>
          <h2>{t('feed.title')}</h2>
          {figures.feed.length === 0 ? <p className="desk-none">{t('feed.none')}</p> : null}
          <ol className="desk-feed">
            {figures.feed.map((line) => (
              <li key={`${line.time}${line.kind}${line.amount}${line.collectorName}`}>
                <IstTime value={line.time} style="time" />
                {line.stageId === null ? <span /> : <StageTag stage={line.stageId as Stage} />}
                <span>
                  {line.kind === 'paid'
                    ? t('feed.paid', { amount: formatPaiseShort(line.amount) })
                    : t('feed.allocated', { count: line.count, shown: formatCount(line.count) })}
                </span>
                <span className="desk-who" lang={language}>
                  {line.collectorName ?? ''}
                </span>
              </li>
            ))}
          </ol>
        </section>
      </div>
    </div>
  )
}

interface FigureProps {
  label: string
  value: string
  sub: ReactNode
  help?: string | undefined
}

function Figure({ label, value, sub, help }: FigureProps): ReactNode {
  return (
    <div title={help}>
      <dt>{label}</dt>
      <dd className="tabular">{value}</dd>
      <dd className="desk-sub">{sub || '\u00A0'}</dd>
    </div>
  )
}

function Head({ text }: { text: string }): ReactNode {
  return (
    <th scope="col" className="is-number">
      {text}
    </th>
  )
}

function Ranking({ kind, lines }: { kind: string; lines: BoardFigures['ranking'] }): ReactNode {
  const t = useText('wall')
  if (lines.length === 0) return null
  return (
    <>
      <h2>{t(`desk.kind.${kind}`)}</h2>
      <table className="desk-table">
        <thead>
          <tr>
            <Head text={t('desk.rank')} />
            <th scope="col">{t('desk.name')}</th>
            <Head text={t('foot.duty')} />
            <Head text={t('desk.contactRate')} />
            <Head text={t('desk.recovered')} />
            <Head text={t('desk.target')} />
            <Head text={t('desk.cases')} />
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>{line.recovered > 0 ? line.rank : '—'}</td>
              <th scope="row">{line.name}</th>
              <td>{formatCount(line.onDuty)}</td>
              <td>{line.contactRate === null ? '—' : formatBasisPoints(line.contactRate)}</td>
              <td>{formatPaiseShort(line.recovered)}</td>
              <td>{line.target === null ? '—' : formatPaiseShort(line.target)}</td>
              <td>{formatCount(line.cases)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** @param agencyId of the shown board, if not the own unit: its alerts are acknowledged */
function Alerts({
  alerts,
  agencyId,
}: {
  alerts: BoardFigures['alerts']
  agencyId: string | undefined
}): ReactNode {
  const t = useText('wall')
  const language = useLanguage()
  const { reason: offline } = useConnection()
  const mayAck = usePermission(ackAlert.access)
  const ack = useSend(ackAlert)
  return (
    <ul className="desk-alerts" aria-label={t('desk.alerts')}>
      {alerts.map((alert) => (
        <li key={alert.key}>
          <StatusTag
            tone={alert.ackBy !== null ? 'neutral' : alert.level === 'critical' ? 'bad' : 'warn'}
          >
            {t(`alert.${alert.key}`, { value: alertValue(alert, t) })}
          </StatusTag>
          <small>
            {t('desk.since', { time: formatNear(alert.since, language) })}
            {alert.ackBy === null ? '' : ` · ${t('desk.ackBy', { name: alert.ackBy })}`}
          </small>
          {mayAck && alert.ackBy === null ? (
            <ActionButton
              size="small"
              text={t('desk.ack')}
              disabledReason={offline}
              onClick={async () => {
                await ack.mutateAsync({
                  alertKey: alert.key,
                  ...(agencyId === undefined ? {} : { agencyId }),
                })
                void showMessage({ intent: 'success', message: t('desk.acked'), key: 'board-ack' })
              }}
            />
          ) : null}
        </li>
      ))}
    </ul>
  )
}
