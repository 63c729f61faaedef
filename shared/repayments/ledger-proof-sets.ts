/** Groups of the rules of a ledger proof. */
export const RULE_GROUPS = [
  'ledger',
  'loans',
  'payments',
  'writeOffs',
  'reviews',
  'cases',
  'tickets',
  'system',
] as const
export type RuleGroup = (typeof RULE_GROUPS)[number]

/** First letters of rule codes, by group. */
const LETTERS = 'LOPWRCTS'

export const PROOF_STATES = ['running', 'done', 'cancelled', 'failed'] as const

/** @throws TypeError for a code without a group */
export function groupOfRule(code: string): RuleGroup {
  const group = RULE_GROUPS[LETTERS.indexOf(code.charAt(0))]
  if (group === undefined) throw new TypeError(`rule ${code} is of no group`)
  return group
}
