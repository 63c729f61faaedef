/** What other features may use of coupons. */
import { type ReactNode, useState } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { panelAction, withCodes } from '#client/screen/list/list-actions.ts'
import type { ListAction } from '#client/screen/list/list-types.ts'
import { Permit } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { grantCoupon } from '#shared/coupons/coupons-api.ts'
export { couponChoices } from './coupon-words.ts'

// load the form library
const GrantForm = lazyPart(() => import('./GrantForm.tsx').then((m) => ({ default: m.GrantForm })))

/** Whether the user may see coupons at all. */
export function useSeesCoupons(): boolean {
  return useSession().index.byName.has('coupon_list')
}

/** Coupons of a customer, or those used with an order, for users who may see coupons. */
export const GrantsOf = lazyPart(() =>
  import('./GrantsOf.tsx').then((m) => ({ default: m.GrantsOf })),
)

/** Grants the customers of the chosen rows a coupon, where the page has one of the codes. */
export function grantAction<Row>(
  codes: readonly [string, ...string[]],
  customerOf: (row: Row) => { userId: string; name: string },
): ListAction<readonly Row[]> {
  return withCodes(
    codes,
    panelAction<readonly Row[]>({
      id: 'coupon',
      endpoint: grantCoupon,
      text: 'coupons:grantCoupon',
      icon: 'credit-card',
      variant: 'outlined',
      panel: (rows, { done, close }) => (
        <GrantForm customers={rows.map(customerOf)} onDone={done} onClose={close} />
      ),
    }),
  )
}

/** Grants one customer a coupon, where the page has one of the codes. */
export function GrantButton({
  codes,
  customer,
}: {
  codes: readonly [string, ...string[]]
  customer: { userId: string; name: string }
}): ReactNode {
  const t = useText('coupons')
  const { reason: offline } = useConnection()
  const [open, setOpen] = useState(false)
  return (
    <Permit codes={[...codes]}>
      <ActionButton
        icon="credit-card"
        text={t('grantCoupon')}
        disabledReason={offline}
        onClick={() => setOpen(true)}
      />
      {open ? <GrantForm customers={[customer]} onClose={() => setOpen(false)} /> : null}
    </Permit>
  )
}
