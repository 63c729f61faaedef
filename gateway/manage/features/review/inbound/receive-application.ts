import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { inboundApplication } from '#shared/orders/inbound-api.ts'
import { reviewLifecycle } from '#shared/review/review-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { ReadyApplication } from '#gateway/manage/features/customers/public.ts'
import { submitApplication } from '#gateway/manage/features/orders/public.ts'
import { MENU } from '../review-events.ts'

/**
 * SUBMIT of an application: creates customer, order in 10, and the review for the machine.
 * @throws Problem as orders do (O-RULE, G-FIELD)
 */
export async function receiveApplication(
  tx: CommandTx,
  input: ReadyApplication,
): Promise<DataOf<typeof inboundApplication>> {
  const { orderId, customerId, customerName, amount, customerClass } = await submitApplication(
    tx,
    input,
  )
  const { bound, nameSimilarity } = input.bankCard
  const { rows } = await sql<{ id: string }>`
    with stored as (
      insert into review (order_id, customer_id, customer_name, amount, customer_class, state, bind_state,
        name_similarity)
      values (${orderId}, ${customerId}, ${customerName}, ${amount}, ${customerClass},
        ${reviewLifecycle.initial}, ${bound ? 'bound' : 'notBound'}, ${nameSimilarity})
      returning id, state, token
    ), logged as (
      insert into review_log (review_id, event, from_state, to_state, token, by_user_id, by_name)
      select s.id, 'CREATED', null, s.state, s.token, ${tx.actor.userId}::text, ${tx.actor.userName}::text
        from stored s
    )
    select s.id from stored s`.execute(tx.db)
  const { id: reviewId } = rows[0] as { id: string }
  tx.log({
    menu: MENU,
    action: 'application',
    targetKind: 'review',
    targetId: reviewId,
    after: { orderId, state: reviewLifecycle.initial },
  })
  // starts the checks and the built-in machine review; an external machine is notified separately
  tx.afterCommit(() => {
    tx.context.wakeSchedule('applicantCheck')
    tx.context.wakeSchedule('machineReview')
  })
  return { orderId, reviewId, userId: customerId }
}
