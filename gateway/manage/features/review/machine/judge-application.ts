/**
 * Converts the rules' output to the result an external machine would send: a refusing rule refuses;
 * a limit below the product's minimum refuses the loan; a demand for manual review is honoured;
 * everything else passes. Malformed output is an error, which finally leads to manual review.
 */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { inboundMachineReview } from '#shared/orders/inbound-api.ts'
import type { MachineRoute } from '#shared/rules/trial-sets.ts'
import type { GivenRates } from '#gateway/manage/features/orders/public.ts'
import {
  type Verdict,
  type Judged,
  type JudgingRule,
  type RuleResult,
  type RuleSet,
  type TableJudgement,
  type TrialVerdict,
  withLimit,
} from '#gateway/manage/features/rules/public.ts'
import type { ApplicationFacts } from './application-facts.ts'

export type Judgement = Omit<InputOf<typeof inboundMachineReview>, 'reviewId' | 'machineId'>

/** With the results of the rules, for those who count them, and what trials have to do with it. */
export interface Judging {
  judgement: Judgement
  /** Of the tables, where they give a price. */
  rates: GivenRates
  /** With the limit, as the rules saw them. */
  facts: object
  results: RuleResult[]
  tables: TableJudgement[]
  trials: TrialVerdict[]
}

/** @param orderId null: no trial takes part */
export async function judgeApplication(
  ruleSet: RuleSet,
  facts: ApplicationFacts,
  orderId: string | null,
): Promise<Judging> {
  const answer = await ruleSet.judge({ ...facts }, orderId).catch(() => null)
  const tables = answer?.tables ?? []
  const nothing = { rates: NO_RATES, facts, results: [], tables, trials: [] }
  const limit = answer === null ? null : wholePaise(answer.limit)
  const priority = answer === null ? null : answer.priority
  if (answer !== null && limit === null) return { ...nothing, judgement: withoutLimit(answer) }
  if (
    answer === null ||
    limit === null ||
    typeof priority !== 'number' ||
    !Number.isInteger(priority) ||
    priority < 0 ||
    priority > 100
  )
    return { ...nothing, judgement: FAILED }
  const judgement = judgementOf(answer, facts, { limit, priority })
  const happened = routeOf(judgement, facts.amount)
  const { serviceRate, dailyRate } = answer
  return {
    judgement,
    rates: { serviceRate, dailyRate },
    facts: withLimit({ ...facts }, limit),
    results: answer.results,
    tables,
    trials: [
      ...answer.sides.map(({ trialId, ruleId, side, versionNo }) => ({
        trialId,
        ruleId,
        side,
        versionNo,
        happened,
        would: null,
        cause: null,
      })),
      ...answer.shadows.map(({ trialId, ruleId, versionNo, verdict }): TrialVerdict => {
        const its = verdict?.results.find((one) => one.ruleId === ruleId)
        return {
          trialId,
          ruleId,
          side: null,
          versionNo,
          happened,
          would: verdict && routeOf(judgementOf(verdict, facts, { limit, priority }), facts.amount),
          cause: verdict === null ? 'faulty' : (its?.cause ?? null),
        }
      }),
    ],
  }
}

export function judgementOf(
  { rules, results }: Verdict,
  { productMinimum }: Pick<ApplicationFacts, 'productMinimum'>,
  { limit, priority }: { limit: number; priority: number },
): Judgement {
  const judged = rules.flatMap((rule, i) => {
    const result = results[i]
    return result === undefined || result.truth === 'skipped' ? [] : [{ rule, result }]
  })
  const hits = judged.filter(({ result }) => result.truth === true).map(({ rule }) => rule)
  const base = {
    limit,
    priority,
    needManual: false,
    rules: judged.map(({ rule, result }) => ({
      code: rule.ruleId,
      name: rule.name,
      hit: result.truth === true,
      output: result.truth === true ? rule.output : null,
      ...(result.cause !== null && { notEvaluated: result.cause }),
    })),
  }
  const refusal = hits.find(({ kind }) => kind === 'reject')
  if (refusal)
    return { ...base, result: 'failed', refusalCode: refusal.refusalCode ?? refusal.ruleId }
  if (limit < productMinimum) return { ...base, result: 'limitFailed' }
  return hits.some(({ kind }) => kind === 'manual') || judged.some(isOpen)
    ? { ...base, result: 'undecided', needManual: true }
    : { ...base, result: 'passed' }
}

/** An amount above the machine's limit goes to people, and so does in the end what failed. */
export function routeOf(
  { result, needManual, limit }: Pick<Judgement, 'result' | 'needManual' | 'limit'>,
  amount: number,
): MachineRoute {
  if (result === 'failed' || result === 'limitFailed') return 'fail'
  return result === 'passed' && !needManual && (limit ?? amount) >= amount ? 'pass' : 'people'
}

/**
 * A rule that would refuse or ask for people and could not do its work: people look. That a value
 * is known to be empty is an answer, and its comparison does not hold.
 */
function isOpen({ rule, result }: { rule: JudgingRule; result: RuleResult }): boolean {
  const decides = rule.kind === 'reject' || rule.kind === 'manual'
  return decides && result.truth === null && result.cause !== 'empty'
}

/** No table gives a limit, or one cannot say which row fits: people decide, and see why. */
function withoutLimit({ priority, tables }: Judged): Judgement {
  return {
    result: 'undecided',
    needManual: true,
    priority,
    rules: tables.map(({ tableId, name, row, open }) => ({
      code: tableId,
      name,
      hit: row !== null,
      output: null,
      ...(open && { notEvaluated: open.cause }),
    })),
  }
}

export const NO_RATES: GivenRates = { serviceRate: null, dailyRate: null }

/** The rules returned no meaningful output. */
export const FAILED: Judgement = { result: 'error', needManual: true, rules: [] }

function wholePaise(given: unknown): number | null {
  return typeof given === 'number' && Number.isFinite(given) && given >= 0
    ? Math.floor(given)
    : null
}
