/**
 * What judges applications: the tables that give limits and prices, and after them the rules in
 * force. @gorules/zen-engine runs both.
 */
import { sql } from 'kysely'
import type { Offer } from '#shared/rules/tables/offer.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { RuleSetInvalid } from './engine/rule-set-invalid.ts'
import { chooseRules, type ShareSide, withVersion } from './engine/choose-rules.ts'
import { resultsOf, ruleRunner, type RuleRunner } from './engine/rule-runner.ts'
import {
  type JudgingRule,
  type KnownRule,
  readKnownRules,
  type RuleResult,
  RULES_KEY,
} from './engine/rules-in-force.ts'
import {
  type JudgingTable,
  readTablesInForce,
  type TableJudgement,
  tableRunner,
  TABLES_KEY,
} from './tables/tables-in-force.ts'
import { withLimit } from './tables/with-limit.ts'

/** The tables in force. */
export interface Tables {
  /** Of the first one. */
  versionNo: number
  evaluate(facts: object): Promise<Offer & { tables: TableJudgement[] }>
}

/** Rules with their results, both in their order. */
export interface Verdict {
  rules: readonly JudgingRule[]
  results: RuleResult[]
}

/** A version that judges beside those that decide. */
export interface Shadow {
  trialId: string
  ruleId: string
  versionNo: number
  /** What would have decided with this version; null when it failed. */
  verdict: Verdict | null
}

export interface Judged extends Offer, Verdict {
  tables: TableJudgement[]
  /** By which side of each share. */
  sides: ShareSide[]
  shadows: Shadow[]
}

/** The tables, the rules in force and those on trial. */
export interface RuleSet {
  versionNo: number
  /** @param orderId null: no trial takes part */
  judge(facts: Record<string, unknown>, orderId: string | null): Promise<Judged>
}

/** @throws RuleSetInvalid when there is none */
export async function tablesOf(tables: readonly JudgingTable[]): Promise<Tables> {
  const [first] = tables
  if (first === undefined) throw new RuleSetInvalid('no decision table is enabled')
  const runner = await tableRunner(tables)
  return {
    versionNo: first.versionNo,
    async evaluate(facts) {
      const { offer, tables: judged } = await runner.judge({ ...facts })
      return { ...offer, tables: judged }
    },
  }
}

/** Of each book: another one has other rules of the same ids and versions. */
const compiled = new WeakMap<Db, { key: string; ruleSet: RuleSet }>()

/**
 * What is in force now, compiled once. It is asked for each application, so that what a colleague
 * enables is in force at once on every process.
 * @throws RuleSetInvalid when there is none or it cannot be read
 */
export async function currentRuleSet(db: Db): Promise<RuleSet> {
  const { rows } = await sql<{ key: string }>`
    select concat_ws(';', ${TABLES_KEY}, ${RULES_KEY}) as key`.execute(db)
  const key = rows[0]?.key ?? ''
  const known = compiled.get(db)
  if (known?.key === key) return known.ruleSet
  const tables = await tablesOf(await readTablesInForce(db))
  const ruleSet = await joined(tables, await readKnownRules(db))
  compiled.set(db, { key, ruleSet })
  return ruleSet
}

/** @throws RuleSetInvalid naming a rule that cannot be read */
async function joined(tables: Tables, known: readonly KnownRule[]): Promise<RuleSet> {
  const isShadow = ({ trial }: KnownRule) => trial?.kind === 'shadow'
  const runner = await ruleRunner(known.filter((rule) => !isShadow(rule)))
  const shadows = await shadowsOf(known.filter(isShadow))
  return {
    versionNo: tables.versionNo,
    async judge(given, orderId) {
      const offer = await tables.evaluate(given)
      const facts = withLimit(given, offer.limit)
      const outcomes = await runner.run(facts)
      const { rules, sides } = chooseRules(known, orderId)
      const beside = orderId === null ? [] : shadows
      return {
        ...offer,
        rules,
        results: resultsOf(rules, outcomes),
        sides,
        shadows: await Promise.all(
          beside.map(async ({ rule, trialId, runner: own }): Promise<Shadow> => {
            const { ruleId, versionNo } = rule
            const its = await own?.run(facts).catch(() => null)
            const all = its && new Map([...outcomes, ...its])
            const would = withVersion(rules, known, rule)
            const verdict = all ? { rules: would, results: resultsOf(would, all) } : null
            return { trialId, ruleId, versionNo, verdict }
          }),
        ),
      }
    },
  }
}

/** Each runs alone, so that one that fails neither decides anything nor silences another. */
function shadowsOf(
  rules: readonly KnownRule[],
): Promise<{ rule: KnownRule; trialId: string; runner: RuleRunner | null }[]> {
  return Promise.all(
    rules.map(async (rule) => ({
      rule,
      trialId: rule.trial?.trialId ?? '',
      runner: await ruleRunner([rule]).catch(() => null),
    })),
  )
}

export { withLimit }
