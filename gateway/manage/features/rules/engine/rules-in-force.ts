/** The rules that judge, in their order. */
import { type RawBuilder, sql } from 'kysely'
import type { UnknownCause } from '#shared/conditions/evaluate-condition.ts'
import type { ActionKind, RuleMode } from '#shared/rules/rule-sets.ts'
import type { TrialKind } from '#shared/rules/trial-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StoredGraph } from './rule-graph.ts'

/** A version as it judges. */
export interface JudgingRule {
  ruleId: string
  versionNo: number
  name: string
  groupId: string
  /** Of the rule, or of its whole group. */
  isSerial: boolean
  kind: ActionKind
  refusalCode: string | null
  output: string | null
  graph: StoredGraph
}

export interface RuleResult {
  ruleId: string
  versionNo: number
  /** Null: not evaluated; `skipped`: an earlier rule of its serial group was hit. */
  truth: boolean | null | 'skipped'
  cause: UnknownCause | null
}

/** A version on trial, among the rules in force at the place it would have. */
export interface RuleOnTrial {
  trialId: string
  kind: TrialKind
  percent: number | null
}

/** A version in force, on trial, or both as long as the trial is about to end. */
export interface KnownRule extends JudgingRule {
  isInForce: boolean
  trial: RuleOnTrial | null
}

interface Row extends Omit<JudgingRule, 'isSerial' | 'kind'> {
  mode: RuleMode
  groupMode: RuleMode
  actionKind: ActionKind
  isInForce: boolean
  trialId: string | null
  kind: TrialKind | null
  percent: number | null
}

const ORDER = sql`g.sort, g.id, v.priority, v.rule_id, v.version_no`
const FROM = sql`rule_version v join rule_group g on g.id = v.group_id
  join rule_action x on x.id = v.action_id
  left join rule_trial t on t.rule_id = v.rule_id and t.version_no = v.version_no and t.ended_at is null`

/** What changes when other rules are in force, or the same ones run otherwise. */
export const RULES_KEY = sql<string>`
  (select coalesce(string_agg(
    concat_ws(':', v.rule_id, v.version_no, v.state, g.mode, x.kind, t.id), ',' order by ${ORDER}), '')
  from ${FROM} where v.state = 'enabled' or t.id is not null)`

/** Those in force and those on trial. */
export function readKnownRules(db: Db): Promise<KnownRule[]> {
  return readRules(db, sql<boolean>`v.state = 'enabled' or t.id is not null`)
}

/** Those in force and this one. */
export function readRulesWith(db: Db, ruleId: string, versionNo: number): Promise<KnownRule[]> {
  const isThis = sql<boolean>`v.rule_id = ${ruleId} and v.version_no = ${versionNo}`
  return readRules(db, sql<boolean>`v.state = 'enabled' or (${isThis})`)
}

export type RuleRef = Pick<KnownRule, 'ruleId' | 'versionNo' | 'isInForce'>

/** Exactly these, in their order, and in force as given; one that is gone is left out. */
export async function readRulesOf(db: Db, refs: readonly RuleRef[]): Promise<KnownRule[]> {
  const found = await readRules(
    db,
    sql<boolean>`(v.rule_id, v.version_no) in (
      select d."ruleId", d."versionNo" from jsonb_to_recordset(${JSON.stringify(refs)}::jsonb)
        as d ("ruleId" text, "versionNo" int))`,
  )
  return refs.flatMap(({ ruleId, versionNo, isInForce }) => {
    const rule = found.find((one) => one.ruleId === ruleId && one.versionNo === versionNo)
    return rule ? [{ ...rule, isInForce }] : []
  })
}

async function readRules(db: Db, which: RawBuilder<boolean>): Promise<KnownRule[]> {
  const { rows } = await sql<Row>`
    select v.rule_id as "ruleId", v.version_no as "versionNo", v.name, v.group_id as "groupId", v.mode,
      g.mode as "groupMode", x.kind as "actionKind", v.refusal_code as "refusalCode", v.output,
      v.content as graph, v.state = 'enabled' as "isInForce", t.id as "trialId", t.kind, t.percent
    from ${FROM} where ${which} order by ${ORDER}`.execute(db)
  return rows.map(({ mode, groupMode, actionKind, trialId, kind, percent, ...rule }) => ({
    ...rule,
    kind: actionKind,
    isSerial: mode === 'serial' || groupMode === 'serial',
    trial: trialId === null || kind === null ? null : { trialId, kind, percent },
  }))
}
