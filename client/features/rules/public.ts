/** What other features may use of the rules without loading the condition texts. */
import { lazyPart } from '#client/base/load-part.ts'

export { ruleName, ruleOutput, tableName } from './shipped-words.ts'

/** How the machine decided the application of an order. */
export const DecisionOf = lazyPart(() =>
  import('./decisions/OrderDecision.tsx').then((m) => ({ default: m.OrderDecision })),
)
