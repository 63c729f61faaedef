import { sql } from 'kysely'
import { RULE_TRIED } from '#shared/rules/rules-live.ts'
import type { MachineRoute, TrialCause, TrialSide } from '#shared/rules/trial-sets.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { TableJudgement } from '../tables/tables-in-force.ts'
import type { RuleResult } from './rules-in-force.ts'

/** What a trial has to do with an application. */
export interface TrialVerdict {
  trialId: string
  ruleId: string
  /** Of a share: by which side, and with which version, it was decided. */
  side: TrialSide | null
  versionNo: number | null
  happened: MachineRoute
  /** Of a shadow: where it would have gone; null when the version failed. */
  would: MachineRoute | null
  cause: TrialCause | null
}

interface Judgement {
  /** With the limit that was found. */
  facts: object
  results: readonly RuleResult[]
  tables: readonly TableJudgement[]
  trials: readonly TrialVerdict[]
}

/**
 * The outcomes of a judgement and its facts: hits are counted, and drafts are tried on the same
 * facts later. Judged again, a review keeps the facts of the last time and the hits of both.
 */
export async function storeJudgement(
  tx: CommandTx,
  { reviewId, orderId }: { reviewId: string; orderId: string },
  { facts, results, tables, trials }: Judgement,
): Promise<void> {
  const versions = Object.fromEntries(results.map(({ ruleId, versionNo }) => [ruleId, versionNo]))
  const hits = results.flatMap(({ ruleId, versionNo, truth, cause }) =>
    // a value that is known to be empty is an answer: nothing was left open
    truth === true || (truth === null && cause !== 'empty')
      ? [{ ruleId, versionNo, outcome: truth === true ? 'hit' : 'notEvaluated', cause }]
      : [],
  )
  await sql`
    with facts as (
      insert into machine_facts (review_id, facts, versions, tables)
      values (${reviewId}, ${JSON.stringify(facts)}::jsonb, ${JSON.stringify(versions)}::jsonb,
        ${JSON.stringify(tables)}::jsonb)
      on conflict (review_id) do update
        set facts = excluded.facts, versions = excluded.versions, tables = excluded.tables,
          at = excluded.at
    )
    insert into rule_hit (review_id, rule_id, version_no, outcome, cause)
    select ${reviewId}, d."ruleId", d."versionNo", d.outcome, d.cause
    from jsonb_to_recordset(${JSON.stringify(hits)}::jsonb)
      as d ("ruleId" text, "versionNo" int, outcome text, cause text)`.execute(tx.db)
  if (trials.length > 0) await storeTrials(tx, reviewId, orderId, trials)
}

async function storeTrials(
  tx: CommandTx,
  reviewId: string,
  orderId: string,
  trials: readonly TrialVerdict[],
): Promise<void> {
  await sql`
    insert into rule_trial_row (trial_id, review_id, order_id, side, version_no, happened, would, cause)
    select t.id, ${reviewId}, ${orderId}, d.side, d."versionNo", d.happened, d.would, d.cause
    from jsonb_to_recordset(${JSON.stringify(trials)}::jsonb)
      as d ("trialId" text, side text, "versionNo" int, happened text, would text, cause text)
    -- one that was ended and deleted while the application was judged
    join rule_trial t on t.id = d."trialId"
    on conflict (trial_id, review_id) do update
      set side = excluded.side, version_no = excluded.version_no, happened = excluded.happened,
        would = excluded.would, cause = excluded.cause, at = excluded.at`.execute(tx.db)
  const isDifferent = ({ side, happened, would }: TrialVerdict) =>
    side === null && would !== happened
  for (const ruleId of new Set(trials.filter(isDifferent).map((one) => one.ruleId)))
    tx.emit(RULE_TRIED, {
      subject: `ruleTrial:${ruleId}`,
      rooms: ['menu:rule_engine'],
      data: { ruleId },
    })
}
