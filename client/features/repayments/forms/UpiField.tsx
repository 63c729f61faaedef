import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useText } from '#client/base/use-text.ts'
import { TextField } from '#client/ui/form/fields.tsx'

/** The channel whose payments have an address. */
const UPI = 1
/** What the call takes when no address took part. */
const NO_ADDRESS = '-'

/** The payer's UPI address: asked for only when the payment came by UPI. */
export function UpiField({
  upi,
  channel,
  onUpi,
}: {
  upi: string
  channel: number | null
  onUpi: (upi: string) => void
}): ReactNode {
  const t = useText('repayments')
  const fit = useEffectEvent(() => {
    if (channel !== UPI) onUpi(NO_ADDRESS)
    else if (upi === NO_ADDRESS) onUpi('')
  })
  useEffect(() => fit(), [channel])
  return channel === UPI ? (
    <TextField name="upi" label={t('col.upi')} maxLength={96} placeholder="name@bank" />
  ) : null
}
