import type { Audience } from '#gateway/manage/kernel/audience.ts'
import { findJob } from './job-queries.ts'

/** The starter of a job receives its events; everyone who may see it may watch it. */
export const JOBS_AUDIENCE: Audience = {
  watch: {
    job: async (db, actor, jobId) => ((await findJob(db, actor, jobId)) ? `job:${jobId}` : null),
  },
}
