/** What other features may use of customers. */
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { panelAction } from '#client/screen/list/list-actions.ts'
import type { ListAction } from '#client/screen/list/list-types.ts'
import { useSession } from '#client/session/session-store.ts'
import { revealField } from '#shared/customers/reveal-api.ts'
import './customer-link.css'
import { customerPath, openCustomerWindow } from './customer-words.ts'
import type { RevealDialogProps } from './RevealDialog.tsx'

export { customerPath } from './customer-words.ts'
export { slotText } from './slot-text.ts'

/** Reveals a masked value of a list row for a reason. */
export const RevealDialog = lazyPart(() =>
  import('./RevealDialog.tsx').then((m) => ({ default: m.RevealDialog })),
)

/** Row action that reveals a masked value, for people whom the page allows it. */
export function revealAction<Row>(
  text: string,
  valueOf: (row: Row) => Omit<RevealDialogProps, 'onClose'>,
): ListAction<Row> {
  return panelAction<Row>({
    id: 'reveal',
    endpoint: revealField,
    text,
    icon: 'eye-open',
    panel: (row, { close }) => <RevealDialog {...valueOf(row)} onClose={close} />,
  })
}

/** The UPI address a payment came from. */
export const PayerUpi = lazyPart(
  () => import('./PayerUpi.tsx').then((m) => ({ default: m.PayerUpi })),
  ({ upi }) => upi,
)

/**
 * Links to the customer's page, here and in a separate window. Without access to the page, the
 * plain id.
 */
export function CustomerLink({
  userId,
  children,
}: {
  userId: string
  children?: ReactNode
}): ReactNode {
  const t = useText('customers')
  const { index } = useSession()
  const shown = children ?? userId
  if (!index.byName.has('info')) return <span className="tabular">{shown}</span>
  return (
    <span className="customer-link">
      <Link className="tabular" href={customerPath(userId)}>
        {shown}
      </Link>
      <Button
        variant="minimal"
        size="small"
        icon="share"
        aria-label={t('action.window')}
        title={t('action.window')}
        onClick={() => openCustomerWindow(userId)}
      />
    </span>
  )
}
