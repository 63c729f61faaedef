import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { call } from '#client/session/call.ts'
import { Masked } from '#client/ui/Masked.tsx'
import { OverlayHead } from '#client/ui/OverlayHead.tsx'
import { revealField } from '#shared/customers/customers-api.ts'
import { useSay } from './use-say.ts'

export interface RevealDialogProps {
  userId: string
  /** Whose it is. */
  name: string
  /** The account of a transfer may be older than the customer's. */
  field: { name: 'phone'; value: string } | { name: 'account'; value: string; transferId: string }
  onClose: () => void
}

/** A masked value of a row, opened for a reason: cells hold text only, so it is asked beside the list. */
export function RevealDialog({ userId, name, field, onClose }: RevealDialogProps): ReactNode {
  const t = useSay()
  const titleId = useId()
  const label = t(`col.${field.name}`)
  const asked =
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
              (await call(revealField, { userId, ...asked, reason }, { quiet: true })).value
            }
          />
        </p>
      </DialogBody>
      <DialogFooter actions={<Button text={t('ui:form.close')} onClick={onClose} />} />
    </Dialog>
  )
}
