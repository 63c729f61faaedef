import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { ledgerProof as call } from '#shared/repayments/ledger-proof-api.ts'
import { groupOfRule, RULE_GROUPS } from '#shared/repayments/ledger-proof-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

type Proof = DataOf<typeof call>
type Last = NonNullable<Proof['last']>

/** Number of proofs the page shows. */
const SHOWN = 30

export async function ledgerProof(db: Db): Promise<Proof> {
  const { rows: proofs } = await sql<Proof['proofs'][number]>`
    select p.id as "proofId", p.state, u.user_name as "askedByName", r.rules, r.broken,
      p.started_at as "startTime", p.finished_at as "finishTime"
    from ledger_proof p left join sys_user u on u.id = p.asked_by,
      lateral (select count(*)::int as rules, (count(*) filter (where r.violations > 0))::int as broken
        from ledger_proof_rule r where r.proof_id = p.id) r
    order by p.started_at desc limit ${SHOWN}`.execute(db)
  const newest = proofs.find(({ state }) => state === 'done')
  return {
    proofs,
    last: newest === undefined ? null : { ...newest, ...(await found(db, newest.proofId)) },
  }
}

async function found(db: Db, proofId: string): Promise<Omit<Last, keyof Proof['proofs'][number]>> {
  const { rows: figures } = await sql<
    Pick<Last, 'entries' | 'postings' | 'accounts'>
  >`select p.entries, p.postings, p.accounts from ledger_proof p where p.id = ${proofId}`.execute(
    db,
  )
  const { rows } = await sql<{
    code: string
    violations: number
    sample: string[]
  }>`
    select r.code, r.violations, r.sample
    from ledger_proof_rule r
    where r.proof_id = ${proofId}
    order by r.code`.execute(db)
  return {
    ...(figures[0] as (typeof figures)[number]),
    groups: RULE_GROUPS.map((group) => {
      const own = rows.filter(({ code }) => groupOfRule(code) === group)
      return {
        group,
        codes: own.map(({ code }) => code),
        broken: own.filter(({ violations }) => violations > 0).length,
      }
    }),
    faults: rows.filter(({ violations }) => violations > 0),
  }
}
