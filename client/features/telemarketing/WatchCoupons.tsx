import type { ReactNode } from 'react'
import { useSilentWatch } from '#client/live/watch.ts'
import { useSession } from '#client/session/session-store.ts'

/** Receives what happens to coupons; whoever may not see them reads it with the page. */
export function WatchCoupons(): ReactNode {
  const { index } = useSession()
  return index.byName.has('coupon_list') ? <Watch /> : null
}

function Watch(): null {
  useSilentWatch('menu', 'coupon_list')
  return null
}
