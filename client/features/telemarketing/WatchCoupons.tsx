import type { ReactNode } from 'react'
import { useSilentWatch } from '#client/live/watch.ts'
import { useSession } from '#client/session/session-store.ts'

/** Subscribes to coupon events; users without access to coupons read changes with the page. */
export function WatchCoupons(): ReactNode {
  const { index } = useSession()
  return index.byName.has('coupon_list') ? <Watch /> : null
}

function Watch(): null {
  useSilentWatch('menu', 'coupon_list')
  return null
}
