/**
 * Which configuration serves an app for a kind. Lower priorities are asked first. Within one
 * priority the share decides, by a stable hash of what is to be done, so that a piece of work that
 * is tried again meets the same vendor, and an order of fall-back follows from the same hash.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { VendorKind } from '#shared/vendors/vendor-kinds.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

export interface Candidate {
  cfgId: string
  vendorCode: string
  priority: number
  share: number
  /** It may be called now, or tried again. */
  isAvailable: boolean
}

export interface Work {
  appId: string
  kind: VendorKind
  /** What is to be done: an order, a message. */
  key: string
}

/**
 * Every service of the app that is on, in the order in which it is asked; empty when the app has
 * none of its own and the vendor of the installation serves it.
 */
export async function candidatesFor(db: Db, { appId, kind, key }: Work): Promise<Candidate[]> {
  // a configuration left out whose pause is over gets one piece of work at a time
  const { rows } = await sql<Candidate>`
    select s.cfg_id as "cfgId", v.code as "vendorCode", s.priority, s.share,
      coalesce(h.state, 'closed') = 'closed' or (
        (h.state = 'trying' or h.retry_at <= clock_timestamp())
        and (h.trial_at is null or h.trial_at < clock_timestamp() - interval '60 seconds')
        and not exists (select 1 from payout_transfer t where t.tp_cfg_id = s.cfg_id
          and t.pay_state = 'inProgress' and t.sent_at is null)) as "isAvailable"
    from tp_app_cfg s join tp_vendor v on v.id = s.vendor_id left join tp_health h on h.cfg_id = s.cfg_id
    where s.app_id = ${appId} and s.kind = ${kind} and s.status = 'enabled'`.execute(db)
  return inOrder(rows, key)
}

/**
 * By priority, then by weighted rendezvous hashing: the first of a priority is drawn in proportion
 * to the shares, the next one in proportion to those that remain. Without any share all weigh the
 * same; beside others a share of 0 is asked last.
 */
export function inOrder<C extends Pick<Candidate, 'cfgId' | 'priority' | 'share'>>(
  candidates: readonly C[],
  key: string,
): C[] {
  const score = (candidate: C): number => {
    const hasShares = candidates.some(
      ({ priority, share }) => priority === candidate.priority && share > 0,
    )
    const weight = hasShares ? candidate.share : 1
    return weight === 0 ? Infinity : -Math.log(fraction(`${key}\n${candidate.cfgId}`)) / weight
  }
  return candidates
    .map((candidate) => ({ candidate, score: score(candidate) }))
    .toSorted(
      (one, other) =>
        one.candidate.priority - other.candidate.priority ||
        // two infinite scores have no difference
        (one.score === other.score ? 0 : one.score - other.score) ||
        (one.candidate.cfgId < other.candidate.cfgId ? -1 : 1),
    )
    .map(({ candidate }) => candidate)
}

/** Above 0 and below 1, the same for the same text. */
function fraction(text: string): number {
  const digest = createHash('sha256').update(text).digest()
  return (digest.readUIntBE(0, 6) + 1) / (2 ** 48 + 2)
}
