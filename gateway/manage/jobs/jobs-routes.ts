import type { FastifyInstance } from 'fastify'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import * as api from '#shared/jobs/jobs-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { cancelJob } from './cancel-job.ts'
import { failedRows, findJob, findJobs, waitingRows } from './job-queries.ts'
import { readOutcome } from './job-outcome.ts'
import { retryJob } from './retry-job.ts'

export function jobsRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listJobs, ({ db, actor }, input) => findJobs(db, actor, input))

  serveQuery(app, context, api.jobDetail, async ({ db, actor }, { jobId }) => {
    const job = await findJob(db, actor, jobId)
    if (!job) throw new Problem(NOT_FOUND)
    const [failed, waiting] = await Promise.all([failedRows(db, jobId), waitingRows(db, jobId)])
    return { job, failed, waiting }
  })

  serveCommand(app, context, api.cancelJob, async (tx, { jobId }) => {
    await cancelJob(tx, jobId)
    const job = await findJob(tx.db, staff(tx.actor), jobId)
    if (!job) throw new Problem(NOT_FOUND)
    return job
  })

  serveCommand(app, context, api.jobOutcome, (tx, { jobId }) => readOutcome(tx, jobId))

  serveCommand(app, context, api.retryJob, async (tx, { jobId }) => ({
    jobId: await retryJob(tx, jobId),
  }))
}
