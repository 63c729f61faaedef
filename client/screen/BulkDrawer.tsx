/**
 * After a bulk action: every row with its state, refused ones with the reason. While a job works,
 * the states follow it; rows that were refused or got no answer can be run again, and the whole
 * saved as a file.
 */
import './refused-rows.css'
import { Button } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { saveFile } from '#client/base/save-file.ts'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { useLive } from '#client/live/use-live.ts'
import { problemText } from '#client/session/call-error.ts'
import { queryOf } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { toCsv } from '#client/ui/grid/csv.ts'
import { StatusTag, type Tone } from '#client/ui/value/StatusTag.tsx'
import { jobDetail } from '#shared/jobs/jobs-api.ts'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { type BulkRow, bulkRows, type RowState } from './bulk-rows.ts'

const TONES = {
  failed: 'bad',
  unknown: 'warn',
  waiting: 'warn',
  cancelled: 'neutral',
  ok: 'good',
} satisfies Record<RowState, Tone>
/** More are in the file. */
const SHOWN = 500

export interface BulkRun {
  ids: readonly string[]
  result: BulkResult
}

export function BulkDrawer({
  run: { ids, result },
  onAgain,
  onClose,
}: {
  run: BulkRun
  /** Runs these rows again; absent where another run would be refused again. */
  onAgain?: (ids: string[]) => Promise<unknown>
  onClose: () => void
}): ReactNode {
  const t = useText('ui')
  const { reason: offline } = useConnection()
  const jobId = result.jobId ?? ''
  const { data, refetch } = useQuery({
    ...queryOf(jobDetail, { jobId }, { quiet: true }),
    enabled: jobId !== '',
  })
  useLive([JOB_CHANGED.type], (events) => {
    if (events.some((event) => event.data.jobId === jobId)) void refetch()
  })
  const jobState =
    jobId === ''
      ? null
      : {
          state: data?.job.state ?? 'queued',
          waiting: data?.waiting ?? ids,
          failed: (data?.failed ?? []).map(({ problem, ...row }) => ({
            ...row,
            ...(problem === null ? {} : { problem }),
          })),
        }
  const rows = bulkRows(ids, result.failed, jobState)
  const again = rows.filter(({ state }) => state === 'failed' || state === 'unknown')
  const isRunning =
    jobState !== null && (jobState.state === 'queued' || jobState.state === 'running')
  const isUnknown = rows.some(({ state }) => state === 'unknown')
  const done = rows.filter(({ state }) => state === 'ok').length

  return (
    <SideDrawer
      isOpen
      title={isUnknown ? t('bulk.noAnswer') : t('bulk.rows', { done, total: ids.length })}
      onClose={onClose}
      canOutsideClickClose={false}
    >
      <div className="bulk-drawer" aria-busy={isRunning}>
        {isUnknown ? <p role="status">{t('bulk.noAnswerHint')}</p> : null}
        {isRunning ? (
          <progress aria-label={t('bulk.progress')} max={ids.length} value={done + again.length} />
        ) : null}
        <ul className="bulk-rows">
          {rows.slice(0, SHOWN).map((row) => (
            <li key={row.id}>
              <span className="tabular">{row.id}</span>
              <StatusTag tone={TONES[row.state]}>{t(`bulk.state.${row.state}`)}</StatusTag>
              {row.refusal === null ? null : <p>{reasonOf(row)}</p>}
            </li>
          ))}
        </ul>
        {rows.length > SHOWN ? <p>{t('bulk.andMore', { count: rows.length - SHOWN })}</p> : null}
      </div>
      <div className="bulk-actions">
        {onAgain === undefined || again.length === 0 ? null : (
          <ActionButton
            icon="refresh"
            text={t('bulk.again', { count: again.length })}
            disabledReason={offline ?? (isRunning ? t('bulk.running') : null)}
            onClick={() => onAgain(again.map(({ id }) => id)).catch(() => undefined)}
          />
        )}
        <Button icon="download" text={t('bulk.save')} onClick={() => save()} />
        <Button intent="primary" text={t('form.close')} onClick={onClose} />
      </div>
    </SideDrawer>
  )

  function save(): void {
    const lines = rows.map((row) => [row.id, t(`bulk.state.${row.state}`), reasonOf(row)])
    const header = [t('bulk.file.row'), t('bulk.file.state'), t('bulk.file.reason')]
    saveFile(
      new Blob([toCsv([header, ...lines])], { type: 'text/csv;charset=utf-8' }),
      `${jobId === '' ? 'rows' : jobId}.csv`,
    )
  }
}

function reasonOf({ refusal }: BulkRow): string {
  if (refusal === null) return ''
  const { problem, params = {}, msg } = refusal
  return problemText(problem ? { id: problem, params } : null) ?? msg
}
