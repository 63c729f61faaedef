/** Which versions judge an application while some are on trial. */
import { createHash } from 'node:crypto'
import type { TrialSide } from '#shared/rules/trial-sets.ts'
import type { KnownRule } from './rules-in-force.ts'

export interface ShareSide {
  trialId: string
  ruleId: string
  side: TrialSide
  /** Null: no version of the rule is in force. */
  versionNo: number | null
}

export interface Chosen {
  /** In their order. */
  rules: KnownRule[]
  sides: ShareSide[]
}

/** Of the versions in force and on trial, those that decide this application. */
export function chooseRules(known: readonly KnownRule[], orderId: string | null): Chosen {
  const sides: ShareSide[] = []
  const challengers = new Set<KnownRule>()
  for (const rule of known) {
    if (orderId === null || rule.trial?.kind !== 'share') continue
    const { trialId, percent } = rule.trial
    const isChallenged = bucketOf(rule.ruleId, orderId) < (percent ?? 0) * 100
    if (isChallenged) challengers.add(rule)
    const inForce = known.find((one) => one.ruleId === rule.ruleId && one.isInForce)
    sides.push({
      trialId,
      ruleId: rule.ruleId,
      side: isChallenged ? 'challenger' : 'champion',
      versionNo: isChallenged ? rule.versionNo : (inForce?.versionNo ?? null),
    })
  }
  const replaced = new Set([...challengers].map(({ ruleId }) => ruleId))
  const isChosen = (rule: KnownRule) =>
    challengers.has(rule) || (rule.isInForce && !replaced.has(rule.ruleId))
  return { rules: known.filter(isChosen), sides }
}

/** The same rules with this version in the place of the one of its rule, or at its own place. */
export function withVersion(
  rules: readonly KnownRule[],
  known: readonly KnownRule[],
  version: KnownRule,
): KnownRule[] {
  const chosen = new Set(rules.filter(({ ruleId }) => ruleId !== version.ruleId))
  return known.filter((rule) => rule === version || chosen.has(rule))
}

/**
 * 0 to 9,999, the same for an application whenever it is judged. Two rules divide the applications
 * independently, and a greater share keeps those it had.
 */
export function bucketOf(ruleId: string, orderId: string): number {
  return createHash('sha256').update(`${ruleId}:${orderId}`).digest().readUInt32BE() % 10_000
}
