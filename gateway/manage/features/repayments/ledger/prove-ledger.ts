/**
 * A proof of the books (trust.md C3): each rule of check-invariants.ts is a row of a job, read in a transaction of its own, so
 * that nobody waits longer than for one of them, and a proof that was cut off goes on where it was.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ALREADY_RUNNING, Problem } from '#shared/kernel/problem.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { checkRule, RULE_CODES } from '#gateway/manage/db/check-invariants.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'

const JOB = 'ledger.proof'
const NIGHTLY = 'proveLedger'
/** Proofs that stay, a year and a bit of nights. */
const KEPT = 400

/** @throws Problem G-RUN with `data.jobId` while one runs */
export async function proveLedger(cx: Cx): Promise<string> {
  const proofId = `B${randomBytes(9).toString('hex')}`
  const jobId = await startJob(cx, {
    type: JOB,
    menu: 'operate_record',
    params: { proofId },
    targetIds: RULE_CODES,
    singletonKey: 'ledger',
    settles: true,
  })
  await sql`insert into ledger_proof (id, asked_by) values (${proofId}, ${cx.actor.userId})`.execute(
    cx.db,
  )
  cx.log({ action: 'proveLedger', targetKind: 'job', targetId: jobId })
  return jobId
}

/** In the night, when the day that is over has been opened and nobody works. */
export const proveNightly: ScheduledClass = {
  name: NIGHTLY,
  cycle: '30 3 * * *',
  async run(house) {
    try {
      await runCommand(
        house,
        { actor: systemActor(NIGHTLY), audit: { action: NIGHTLY } },
        proveLedger,
      )
    } catch (error) {
      // somebody's own is as good
      if (!(error instanceof Problem) || error.id !== ALREADY_RUNNING.id) throw error
      return 'one was running'
    }
    return 'started'
  },
}

export const ledgerProofJob: JobType = {
  type: JOB,
  async row(cx, code, { proofId }) {
    const { violations, sample } = await checkRule(cx.db, code)
    await sql`insert into ledger_proof_rule (proof_id, code, violations, sample) values (${proofId}, ${code}, ${violations}, ${sample}::text[])`.execute(
      cx.db,
    )
  },
  async ended(cx, { params: { proofId } }, state) {
    await sql`
      update ledger_proof p set state = ${state}, finished_at = clock_timestamp(), entries = f.entries, postings = f.postings, accounts = f.accounts
      from (
        select coalesce(sum(a.entries), 0) as entries, (select count(distinct e.txn_id) from ledger_entry e) as postings,
          coalesce(jsonb_agg(jsonb_build_object('account', a.account, 'debit', a.debit, 'credit', a.credit) order by a.account), '[]') as accounts
        from (select e.account, count(*) as entries, sum(e.debit) as debit, sum(e.credit) as credit from ledger_entry e group by e.account) a
      ) f where p.id = ${proofId}`.execute(cx.db)
    await sql`delete from ledger_proof p where p.id in (select o.id from ledger_proof o where o.state <> 'running' order by o.started_at desc offset ${KEPT})`.execute(
      cx.db,
    )
    await tellFaults(cx, String(proofId))
  },
}

async function tellFaults(cx: Cx, proofId: string): Promise<void> {
  const { rows: faults } = await sql<{
    code: string
    violations: number
    sample: string[]
  }>`select r.code, r.violations, r.sample from ledger_proof_rule r where r.proof_id = ${proofId} and r.violations > 0 order by r.code`.execute(
    cx.db,
  )
  if (faults.length === 0) return
  cx.house.log.error({ proofId, faults }, 'the books do not hold')
  const { rows: administrators } = await sql<{ id: string }>`
    select u.id from sys_user u join sys_role r on r.id = u.role_id where r.unique_mark = ${ADMINISTRATOR} and u.status <> 'disabled'`.execute(
    cx.db,
  )
  for (const { id: userId } of administrators)
    cx.notify({
      userId,
      kind: 'system',
      titleKey: 'repayments:books.notice',
      params: { n: faults.length },
      route: '/system/operate_record?tab=books',
    })
}
