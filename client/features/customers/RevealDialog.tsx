import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { call } from '#client/session/call.ts'
import { Masked } from '#client/ui/value/Masked.tsx'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import { revealField } from '#shared/customers/reveal-api.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'

export interface RevealDialogProps {
  userId: string
  /** The customer's id. */
  name: string
  /** The account of a transfer may be older than the customer's current one. */
  field: { name: 'phone'; value: string } | { name: 'account'; value: string; transferId: string }
  onClose: () => void
}

/**
 * Reveals a masked value of a list row for a reason. A dialog beside the list, because grid cells
 * hold text only.
 */
export function RevealDialog({ userId, name, field, onClose }: RevealDialogProps): ReactNode {
  const t = useCustomerText()
  const titleId = useId()
  const label = t(`col.${field.name}`)
  const target =
    field.name === 'account'
      ? { field: field.name, transferId: field.transferId }
      : { field: field.name }
  return (
    <Dialog isOpen onClose={onClose} aria-labelledby={titleId} className="form-dialog">
      <OverlayHead id={titleId} title={name} onClose={onClose} />
      <DialogBody>
        <p>
          <span className="customer-muted">{label}</span>{' '}
          <Masked
            value={field.value}
            label={label}
            onReveal={async (reason) =>
              (await call(revealField, { userId, ...target, reason }, { quiet: true })).value
            }
          />
        </p>
      </DialogBody>
      <DialogFooter actions={<Button text={t('ui:form.close')} onClick={onClose} />} />
    </Dialog>
  )
}
