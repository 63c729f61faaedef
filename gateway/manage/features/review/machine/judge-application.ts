/**
 * Converts the rules' output to the result an external machine would send: a refusing rule refuses;
 * a limit below the product's minimum refuses the loan; a demand for manual review is honoured;
 * everything else passes. Malformed output is an error, which finally leads to manual review.
 */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { inboundMachineReview } from '#shared/orders/inbound-api.ts'
import type { RuleSet } from '#gateway/manage/features/rules/public.ts'
import type { ApplicationFacts } from './application-facts.ts'

export type Judgement = Omit<InputOf<typeof inboundMachineReview>, 'reviewId' | 'machineId'>

interface Hit {
  code: string
  action: 'reject' | 'manual' | 'pass'
  refusalCode: string | null
  output: string | null
}

export async function judgeApplication(
  ruleSet: RuleSet,
  facts: ApplicationFacts,
): Promise<Judgement> {
  const answer = await ruleSet.evaluate(facts).catch(() => null)
  const hits = answer === null ? null : hitsOf(answer.hits)
  const limit = answer === null ? null : wholePaise(answer.limit)
  const priority = answer === null ? null : answer.priority
  if (
    hits === null ||
    limit === null ||
    typeof priority !== 'number' ||
    !Number.isInteger(priority) ||
    priority < 0 ||
    priority > 100
  )
    return FAILED
  const reported = ruleSet.rules.map(({ code, name }) => {
    const hit = hits.find((one) => one.code === code)
    return { code, name, hit: hit !== undefined, output: hit?.output ?? null }
  })
  const base = { limit, priority, needManual: false, rules: reported }
  const refusal = hits.find((hit) => hit.action === 'reject')
  if (refusal)
    return { ...base, result: 'failed', refusalCode: refusal.refusalCode ?? refusal.code }
  if (limit < facts.productMinimum) return { ...base, result: 'limitFailed' }
  if (hits.some((hit) => hit.action === 'manual'))
    return { ...base, result: 'undecided', needManual: true }
  return { ...base, result: 'passed' }
}

/** The rules returned no meaningful output. */
export const FAILED: Judgement = { result: 'error', needManual: true, rules: [] }

function hitsOf(given: unknown): Hit[] | null {
  if (!Array.isArray(given)) return null
  const isText = (value: unknown) =>
    value === null || value === undefined || typeof value === 'string'
  const isHit = (one: Partial<Hit> | null): one is Hit =>
    typeof one?.code === 'string' &&
    (one.action === 'reject' || one.action === 'manual' || one.action === 'pass') &&
    isText(one.refusalCode) &&
    isText(one.output)
  return given.every(isHit) ? given : null
}

function wholePaise(given: unknown): number | null {
  return typeof given === 'number' && Number.isFinite(given) && given >= 0
    ? Math.floor(given)
    : null
}
