/** Rows of `rule_trial`. */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { RULE_ON_TRIAL } from '#shared/rules/rule-problems.ts'
import { RULE_TRIED } from '#shared/rules/rules-live.ts'
import type { TrialKind } from '#shared/rules/trial-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

export interface NewTrial {
  versionNo: number
  kind: TrialKind
  percent: number | null
  reason: string
}

/** @throws Problem X-TRIAL */
export async function requireNoTrial(db: Db, ruleId: string): Promise<void> {
  const { rows } = await sql`
    select 1 from rule_trial t where t.rule_id = ${ruleId} and t.ended_at is null`.execute(db)
  if (rows.length > 0) throw new Problem(RULE_ON_TRIAL)
}

/** Of a rule that is locked; the caller has checked its version. @throws Problem X-TRIAL */
export async function beginTrial(tx: CommandTx, ruleId: string, trial: NewTrial): Promise<string> {
  const { versionNo, kind, percent, reason } = trial
  await requireNoTrial(tx.db, ruleId)
  const { rows } = await sql<{ id: string }>`
    insert into rule_trial (rule_id, version_no, kind, percent, reason, started_by_name)
    values (${ruleId}, ${versionNo}, ${kind}, ${percent}::int, ${reason}, ${tx.actor.userName})
    returning id`.execute(tx.db)
  const { id } = rows[0] as { id: string }
  emitTried(tx, ruleId)
  tx.log({
    action: 'startTrial',
    targetKind: 'rule',
    targetId: ruleId,
    after: { trialId: id, name: await nameOf(tx.db, ruleId, versionNo), ...trial },
  })
  return id
}

/** The version it was compared with is no longer the one in force. */
export async function endTrialsOf(tx: CommandTx, ruleId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update rule_trial set ended_at = clock_timestamp(), ended_by_name = ${tx.actor.userName}
    where rule_id = ${ruleId} and ended_at is null returning id`.execute(tx.db)
  if (rows.length > 0) emitTried(tx, ruleId)
}

export async function openShare(
  db: Db,
  ruleId: string,
): Promise<{ versionNo: number; percent: number } | null> {
  const { rows } = await sql<{ versionNo: number; percent: number }>`
    select t.version_no as "versionNo", t.percent from rule_trial t
    where t.rule_id = ${ruleId} and t.ended_at is null and t.kind = 'share'`.execute(db)
  return rows[0] ?? null
}

/** A share has decided applications, which name the version. */
export async function hadShare(db: Db, ruleId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from rule_trial t where t.rule_id = ${ruleId} and t.kind = 'share' limit 1`.execute(db)
  return rows.length > 0
}

async function nameOf(db: Db, ruleId: string, versionNo: number): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select v.name from rule_version v
    where v.rule_id = ${ruleId} and v.version_no = ${versionNo}`.execute(db)
  return rows[0]?.name ?? null
}

export function emitTried(tx: CommandTx, ruleId: string): void {
  tx.emit(RULE_TRIED, {
    subject: `ruleTrial:${ruleId}`,
    rooms: ['menu:rule_engine'],
    data: { ruleId },
  })
}
