/** Batches of checks over applications that people will decide, by their orders. */
import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { ReviewDemand } from '#shared/review/review-demands.ts'
import type { ReviewState } from '#shared/review/review-lifecycle.ts'
import type { TeleState } from '#shared/review/tele-lifecycle.ts'
import type { BatchKind, BatchLeftOut } from '#shared/rules/batch-sets.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type {
  BatchRequest,
  BatchCandidate,
  BatchType,
} from '#gateway/manage/features/rules/public.ts'
import { reviewsInScope } from '../review-scope.ts'
import { lockReview, type LockedReview } from '../review-store.ts'
import { BEFORE_DECISION, demandCheck, readCardAgain } from './demand-check.ts'

export const checkBatches: readonly BatchType[] = [
  demandBatch('idcheck', 'identity', () => null),
  demandBatch('electricVerify', 'call', ({ tele }) => (tele === 'connected' ? 'connected' : null)),
  checkBatch('verify', {
    // the card as the review has it, and as the customer has it now
    states: ({ bound, similarity, card }) => [
      cardOf(bound, similarity),
      card === null ? '' : cardOf(card.bound, card.similarity),
    ],
    isOpen: sql<boolean>`b.id is not null and (b.bind_state, b.name_similarity)
      is distinct from (r.bind_state, r.name_similarity)`,
    why: ({ bound, similarity, card }) =>
      card === null
        ? 'noCard'
        : card.bound === bound && card.similarity === similarity
          ? 'sameCard'
          : null,
    run: readCardAgain,
  }),
]

function demandBatch(
  kind: BatchKind,
  demand: ReviewDemand,
  why: (found: Found) => BatchLeftOut | null,
): BatchType {
  return checkBatch(kind, {
    states: ({ demands }) => [demands.includes(demand) ? demand : 'none', demand],
    isOpen: sql<boolean>`not ${demand} = any(r.demands)`,
    why: (found) => (found.demands.includes(demand) ? 'demanded' : why(found)),
    run: (tx, review) => demandCheck(tx, review, demand),
  })
}

interface Check {
  /** Before and after. */
  states(found: Found): [string, string]
  /** Whether there is anything to do; over `review r` and its card `b`. */
  isOpen: RawBuilder<boolean>
  why(found: Found): BatchLeftOut | null
  run(tx: CommandTx, review: LockedReview): Promise<void>
}

function checkBatch(kind: BatchKind, { states, isOpen, why, run }: Check): BatchType {
  return {
    kind,
    async candidates(tx, actor, request) {
      const found = await reviewsOf(tx, actor, request, isOpen)
      return found.map((one): BatchCandidate => {
        const [before, after] = states(one)
        const isWithReviewers = BEFORE_DECISION.includes(one.state) && one.status === 22
        return {
          orderId: one.orderId,
          before,
          after,
          why: isWithReviewers ? why(one) : 'notWithReviewers',
        }
      })
    },
    async row(tx, orderId) {
      const { rows } = await sql<{ id: string }>`
        select r.id from review r where r.order_id = ${orderId}
          order by r.created_at desc, r.id desc limit 1`.execute(tx.db)
      if (rows[0] === undefined) throw new Problem(NOT_FOUND)
      await run(tx, await lockReview(tx, rows[0].id))
    },
  }
}

/** `bound 9500`: the binding and basis points of the name similarity. */
function cardOf(bound: string | null, similarity: number | null): string {
  return `${bound ?? 'notBound'} ${similarity ?? 0}`
}

interface Found {
  orderId: string
  status: number
  state: ReviewState
  demands: ReviewDemand[]
  tele: TeleState
  bound: string | null
  similarity: number | null
  card: { bound: string; similarity: number | null } | null
}

async function reviewsOf(
  tx: CommandTx,
  actor: StaffActor,
  request: BatchRequest,
  isOpen: RawBuilder<boolean>,
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select r.order_id as "orderId", o.status, r.state, r.demands, r.tele_call_state as tele,
      r.bind_state as bound, r.name_similarity as similarity, case when b.id is not null
        then jsonb_build_object('bound', b.bind_state, 'similarity', b.name_similarity) end as card
    from review r
    join loan_order o on o.id = r.order_id
    left join bank_card b on b.customer_id = r.customer_id and b.active
    where ${reviewsInScope(actor)} and ${
      'orderIds' in request
        ? sql`r.order_id = any(${[...request.orderIds]}::text[])`
        : sql`o.status = 22 and r.state = any(${[...BEFORE_DECISION]}::text[]) and ${isOpen}
            and (${request.from}::timestamptz is null or o.created_at >= ${request.from}::timestamptz)
            and (${request.to}::timestamptz is null or o.created_at < ${request.to}::timestamptz)
            and (${request.productId}::text is null or o.product_id = ${request.productId})`
    }
      and not exists (select 1 from review n where n.order_id = r.order_id
        and (n.created_at, n.id) > (r.created_at, r.id))
    order by r.created_at, r.id
    limit ${'most' in request ? request.most : null}`.execute(tx.db)
  return rows
}
