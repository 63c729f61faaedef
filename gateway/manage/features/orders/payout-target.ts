/** Who is asked to pay an order out: a service of its app, or the vendor of the installation. */
import { sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { candidatesFor } from '#gateway/manage/vendors/routing/choose-vendor.ts'
import type { PayoutLane } from '#gateway/manage/vendors/payout-vendors.ts'

export interface PayoutTarget extends PayoutLane {
  /** It may be called now. */
  isAvailable: boolean
}

/** In the order in which they are asked; never empty. @throws TypeError for an unknown order */
export async function payoutTargets(db: Db, orderId: string): Promise<PayoutTarget[]> {
  const { rows } = await sql<{ app_id: string; installation: string | null }>`
    select o.app_id, (select c.value from sys_config c where c.code = 'payout.vendor') as installation
    from loan_order o where o.id = ${orderId}`.execute(db)
  const [order] = rows
  if (!order) throw new TypeError(`order ${orderId} does not exist`)
  const services = await candidatesFor(db, { appId: order.app_id, kind: 'payout', key: orderId })
  return services.length > 0
    ? services
    : [{ cfgId: null, vendorCode: order.installation ?? '', isAvailable: true }]
}

/** The first that may be called; when none may, the first: the transfer waits for it. */
export async function payoutTarget(db: Db, orderId: string): Promise<PayoutTarget> {
  const targets = await payoutTargets(db, orderId)
  // never empty
  return targets.find(({ isAvailable }) => isAvailable) ?? (targets[0] as PayoutTarget)
}

/** A vendor of the order's app by its code; null: it pays nothing out for this app. */
export async function payoutTargetNamed(
  db: Db,
  orderId: string,
  vendorCode: string,
): Promise<PayoutTarget | null> {
  const targets = (await payoutTargets(db, orderId)).filter(
    (target) => target.vendorCode === vendorCode,
  )
  return targets.find(({ isAvailable }) => isAvailable) ?? targets[0] ?? null
}

/** Another vendor of the order's app than this one; null: there is none. */
export async function otherPayoutTarget(
  db: Db,
  orderId: string,
  vendorCode: string,
): Promise<PayoutTarget | null> {
  const others = (await payoutTargets(db, orderId)).filter(
    (target) => target.vendorCode !== vendorCode,
  )
  return others.find(({ isAvailable }) => isAvailable) ?? others[0] ?? null
}
