import type { FastifyInstance } from 'fastify'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import * as api from '#shared/jobs/jobs-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { cancelJob } from './cancel-job.ts'
import { failedRows, findJob, findJobs } from './job-queries.ts'
import { readOutcome } from './job-outcome.ts'
import { retryJob } from './retry-job.ts'

export function jobsRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listJobs, ({ db, actor }, input) => findJobs(db, actor, input))

  serveQuery(app, house, api.jobDetail, async ({ db, actor }, { jobId }) => {
    const job = await findJob(db, actor, jobId)
    if (!job) throw new Problem(NOT_FOUND)
    return { job, failed: await failedRows(db, jobId) }
  })

  serveCommand(app, house, api.cancelJob, async (cx, { jobId }) => {
    await cancelJob(cx, jobId)
    const job = await findJob(cx.db, staff(cx.actor), jobId)
    if (!job) throw new Problem(NOT_FOUND)
    return job
  })

  serveCommand(app, house, api.jobOutcome, (cx, { jobId }) => readOutcome(cx, jobId))

  serveCommand(app, house, api.retryJob, async (cx, { jobId }) => ({
    jobId: await retryJob(cx, jobId),
  }))
}
