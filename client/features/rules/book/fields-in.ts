import { type Condition, isGroup } from '#shared/conditions/condition.ts'

/** The fields that a condition asks for, each once, in its order. */
export function fieldsIn(node: Condition): string[] {
  return isGroup(node) ? [...new Set(node.of.flatMap(fieldsIn))] : [node.field]
}
