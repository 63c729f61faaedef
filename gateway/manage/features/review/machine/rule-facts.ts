/** What the review brings to the rules: what is known of an application, and where it goes. */
import { sql } from 'kysely'
import type { RuleFacts } from '#gateway/manage/features/rules/public.ts'
import { readFacts } from './application-facts.ts'
import { judgementOf, routeOf } from './judge-application.ts'

export const RULE_FACTS: RuleFacts = {
  /** As they are now, also of applications that have ended. */
  async factsOf(context, target) {
    const which =
      'orderId' in target ? sql`o.id = ${target.orderId}` : sql`o.customer_id = ${target.userId}`
    const found = await readFacts(context, which)
    return found && { orderId: found.orderId, facts: { ...found.facts } }
  },
  routeOf(verdict, { productMinimum, amount }, limit) {
    const numbers = { productMinimum: Number(productMinimum ?? 0) }
    return routeOf(judgementOf(verdict, numbers, { limit, priority: 0 }), Number(amount ?? limit))
  },
}
