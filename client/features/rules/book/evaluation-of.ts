import { childPath, type Condition, isGroup } from '#shared/conditions/condition.ts'
import type { Evaluation } from '#shared/conditions/evaluate-condition.ts'
import type { RuleTest } from './rule-types.ts'

/** The results of the nodes put back into the tree. */
export function evaluationOf({
  expression,
  trace,
}: Pick<RuleTest, 'expression' | 'trace'>): Evaluation {
  const results = new Map(trace.map((one) => [one.path, one]))
  function at(node: Condition, path: string): Evaluation {
    const { truth = null, cause = null } = results.get(path) ?? {}
    return {
      path,
      truth,
      ...(cause !== null && { cause }),
      ...(isGroup(node) && { of: node.of.map((child, i) => at(child, childPath(path, i))) }),
    }
  }
  return at(expression, '')
}
