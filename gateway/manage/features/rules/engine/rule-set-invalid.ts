export class RuleSetInvalid extends Error {
  override readonly name = 'RuleSetInvalid'
  readonly code = 'RULE_SET_INVALID'
}
