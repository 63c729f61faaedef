/** Jobs with their progress and actions: a person's own; an administrator sees those of others, too. */
import './notifications.css'
import { Button } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { hasText, translate } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'
import { call } from '#client/session/call.ts'
import { type CallError, messageOf } from '#client/session/call-error.ts'
import { downloadFile } from '#client/session/file.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryKeyOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { actorLabel } from '#client/session/actor-label.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { downloadExport } from '#shared/exports/exports-api.ts'
import { cancelJob, listJobs, retryJob } from '#shared/jobs/jobs-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { jobWord } from './job-word.ts'

type Job = DataOf<typeof listJobs>['rows'][number]

export function JobRows({ rows }: { rows: readonly Job[] }) {
  const t = useText('notifications')
  const { user } = useSession()
  const client = useQueryClient()

  async function act(endpoint: typeof cancelJob | typeof retryJob, jobId: string) {
    // `call` shows the error
    await call(endpoint, { jobId }).catch(() => undefined)
    await client.invalidateQueries({ queryKey: queryKeyOf(listJobs) })
  }

  return (
    <ul className="tray-list">
      {rows.map((job) => (
        <li key={job.jobId} className="tray-job">
          <div className="tray-job-line">
            <strong>
              {jobWord(job.type) ?? t('jobs.other')}
              {job.title === null ? '' : `: ${job.title}`}
            </strong>
            <span className={`tray-state is-${job.state}`}>
              {t(`jobs.state.${job.state as 'queued'}`)}
            </span>
          </div>
          <progress
            aria-label={t('jobs.progress', { id: job.jobId })}
            max={Math.max(1, job.total)}
            value={job.done}
          />
          <div className="tray-job-line">
            <span className="tray-note tabular">
              {job.jobId} ·{' '}
              {job.rows === null
                ? t('jobs.figures', { done: job.done, total: job.total, fail: job.fail })
                : t('jobs.rows', { count: job.rows })}{' '}
              · <IstTime value={job.createTime} />
              {job.userName === null || job.userName === user.userName
                ? ''
                : ` · ${actorLabel(job.userName)}`}
            </span>
            {job.fileId !== null ? (
              <Button
                size="small"
                variant="outlined"
                text={t('jobs.download')}
                onClick={() => void bring(job.jobId)}
              />
            ) : null}
            {job.state === 'queued' || job.state === 'running' ? (
              <Button
                size="small"
                variant="outlined"
                text={t('jobs.cancel')}
                onClick={() => void act(cancelJob, job.jobId)}
              />
            ) : null}
            {/* a file is made whole or not at all: its list was read once */}
            {job.rows === null && job.done > 0 && hasEnded(job) ? (
              <Button
                size="small"
                variant="outlined"
                text={t('jobs.outcome.save')}
                onClick={() => void bringOutcome(job.jobId)}
              />
            ) : null}
            {job.rows === null && job.fail > 0 && hasEnded(job) ? (
              <Button
                size="small"
                variant="outlined"
                text={t('jobs.retry')}
                onClick={() => void act(retryJob, job.jobId)}
              />
            ) : null}
          </div>
          {job.state === 'failed' && job.message !== null ? (
            <p className="tray-why">{whyOf(job.message)}</p>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

async function bring(jobId: string): Promise<void> {
  await downloadFile(downloadExport, { jobId }).catch((error: unknown) =>
    showMessage({ intent: 'warning', message: messageOf(error as CallError), key: 'download' }),
  )
}

async function bringOutcome(jobId: string): Promise<void> {
  // `call` shows the error
  await import('./job-outcome.ts')
    .then(({ saveOutcome }) => saveOutcome(jobId))
    .catch(() => undefined)
}

function hasEnded({ state }: Job): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

/** Why a job failed, as text. */
function whyOf(problemId: string): string {
  return hasText(`problems:${problemId}`) ? translate(`problems:${problemId}`) : problemId
}
