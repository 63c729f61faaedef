/** What other features may use of the rules without loading the condition texts. */
import { lazy } from 'react'

export { ruleName, tableName } from './shipped-words.ts'

/** How the machine decided the application of an order. */
export const DecisionOf = lazy(() =>
  import('./decisions/OrderDecision.tsx').then((m) => ({ default: m.OrderDecision })),
)
