import type { ProblemKind } from '#shared/kernel/problem.ts'

/** `data.faults` names the nodes of the tree. */
export const RULE_WRONG: ProblemKind = {
  id: 'X-RULE',
  code: 400,
  msg: 'Rule expression is not valid at {position}',
}
export const RULE_NAME_TAKEN: ProblemKind = {
  id: 'K-DUP',
  code: 400,
  msg: 'Name already exists',
}
/** `data.cases` names them. */
export const RULE_CASES_FAIL: ProblemKind = {
  id: 'X-CASE',
  code: 409,
  msg: '{n} test cases fail',
}
/** An action or a group that rules use is neither deleted nor changed in what it does. */
export const RULE_PART_USED: ProblemKind = {
  id: 'K-USED',
  code: 400,
  msg: 'Item is in use',
}
export const RULE_TOO_MANY_CASES: ProblemKind = {
  id: 'X-MANY',
  code: 400,
  msg: 'At most {n} test cases can be kept',
}
/** `data.faults` names the cells. */
export const TABLE_WRONG: ProblemKind = {
  id: 'X-TABLE',
  code: 400,
  msg: 'Decision table is not valid at {position}',
}
/** Without one, no application could be judged. */
export const TABLE_LAST: ProblemKind = {
  id: 'X-LIMIT',
  code: 409,
  msg: 'No other table in force gives a limit',
}
/** `reason` is the cause, `node` and `text` are the place. */
export const FILE_UNREADABLE: ProblemKind = {
  id: 'X-FILE',
  code: 400,
  msg: 'JDM file cannot be used ({reason}): {node} {text}',
}
/** One trial of a rule at a time. */
export const RULE_ON_TRIAL: ProblemKind = {
  id: 'X-TRIAL',
  code: 409,
  msg: 'Another trial of the rule runs; stop it first',
}
