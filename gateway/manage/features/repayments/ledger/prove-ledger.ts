/**
 * Proves the ledger: each rule of check-invariants.ts is a row of a job and runs in a transaction
 * of its own, so that other work waits for one rule at most, and an interrupted proof resumes.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ALREADY_RUNNING, Problem } from '#shared/kernel/problem.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { checkRule, mendCounter, RULE_CODES } from '#gateway/manage/db/check-invariants.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'

const JOB = 'ledger.proof'
const NIGHTLY = 'proveLedger'
/** Number of stored proofs: more than a year of nights. */
const KEPT = 400

/** @throws Problem G-RUN with `data.jobId` while one runs */
export async function proveLedger(tx: CommandTx): Promise<string> {
  const proofId = `B${randomBytes(9).toString('hex')}`
  const jobId = await startJob(tx, {
    type: JOB,
    menu: 'operate_record',
    params: { proofId },
    targetIds: RULE_CODES,
    singletonKey: 'ledger',
    settles: true,
  })
  await sql`insert into ledger_proof (id, asked_by) values (${proofId}, ${tx.actor.userId})`.execute(
    tx.db,
  )
  tx.log({ action: 'proveLedger', targetKind: 'job', targetId: jobId })
  return jobId
}

/** At night, after the previous day has been opened and outside working hours. */
export const proveNightly: ScheduledClass = {
  name: NIGHTLY,
  cycle: '30 3 * * *',
  async run(context) {
    try {
      await runCommand(
        context,
        { actor: systemActor(NIGHTLY), audit: { action: NIGHTLY } },
        proveLedger,
      )
    } catch (error) {
      // a proof a user started counts as well
      if (!(error instanceof Problem) || error.id !== ALREADY_RUNNING.id) throw error
      return {}
    }
    return { started: 1 }
  },
}

export const ledgerProofJob: JobType = {
  type: JOB,
  async row(tx, code, { proofId }) {
    const found = await checkRule(tx.db, code)
    const mended = found.violations > 0 ? await mendCounter(tx.db, code) : 0
    const { violations, sample } = mended > 0 ? await checkRule(tx.db, code) : found
    if (mended > 0)
      tx.context.log.warn({ proofId, code, mended, sample: found.sample }, 'a counter had drifted')
    await sql`
      insert into ledger_proof_rule (proof_id, code, violations, sample, mended)
        values (${proofId}, ${code}, ${violations}, ${sample}::text[], ${mended})`.execute(tx.db)
  },
  async ended(tx, { params: { proofId } }, state) {
    await sql`
      update ledger_proof p set state = ${state}, finished_at = clock_timestamp(), entries = f.entries,
        postings = f.postings, accounts = f.accounts
      from (
        select coalesce(sum(a.entries), 0) as entries, (select count(distinct e.txn_id)
          from ledger_entry e) as postings,
          coalesce(jsonb_agg(jsonb_build_object('account', a.account, 'debit', a.debit, 'credit', a.credit)
            order by a.account), '[]') as accounts
        from (select e.account, count(*) as entries, sum(e.debit) as debit, sum(e.credit) as credit
          from ledger_entry e group by e.account) a
      ) f where p.id = ${proofId}`.execute(tx.db)
    await sql`
      delete from ledger_proof p where p.id in (select o.id from ledger_proof o where o.state <> 'running'
        order by o.started_at desc offset ${KEPT})`.execute(tx.db)
    await notifyFaults(tx, String(proofId))
    await notifyMended(tx, String(proofId))
  },
}

async function notifyFaults(tx: CommandTx, proofId: string): Promise<void> {
  const { rows: faults } = await sql<{
    code: string
    violations: number
    sample: string[]
  }>`
    select r.code, r.violations, r.sample
    from ledger_proof_rule r
    where r.proof_id = ${proofId}
      and r.violations > 0
    order by r.code`.execute(tx.db)
  if (faults.length === 0) return
  tx.context.log.error({ proofId, faults }, 'the books do not hold')
  await notifyAdministrators(tx, 'repayments:books.notice', faults.length)
}

async function notifyMended(tx: CommandTx, proofId: string): Promise<void> {
  const { rows } = await sql<{
    n: number
  }>`select coalesce(sum(r.mended), 0)::int as n from ledger_proof_rule r where r.proof_id = ${proofId}`.execute(
    tx.db,
  )
  const mended = rows[0]?.n ?? 0
  if (mended > 0) await notifyAdministrators(tx, 'repayments:books.mended', mended)
}

async function notifyAdministrators(tx: CommandTx, titleKey: string, n: number): Promise<void> {
  const { rows: administrators } = await sql<{ id: string }>`
    select u.id from sys_user u join sys_role r on r.id = u.role_id where r.unique_mark = ${ADMINISTRATOR}
      and u.status <> 'disabled'`.execute(tx.db)
  for (const { id: userId } of administrators)
    tx.notify({
      userId,
      kind: 'system',
      titleKey,
      params: { n },
      route: '/system/operate_record?tab=books',
    })
}
