import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { call } from '#client/session/call.ts'
import { Masked } from '#client/ui/Masked.tsx'
import { OverlayHead } from '#client/ui/OverlayHead.tsx'
import type { CustomerRow } from '#shared/customers/customer-list-api.ts'
import { revealField } from '#shared/customers/customers-api.ts'
import { useSay } from '../use-say.ts'

/** The phone of a row, opened for a reason: cells hold text only, so it is asked beside the list. */
export function RevealPhone({ row: { userId, name, phone }, onClose }: { row: CustomerRow; onClose: () => void }): ReactNode {
  const t = useSay()
  const titleId = useId()
  return (
    <Dialog isOpen onClose={onClose} aria-labelledby={titleId} className="form-dialog">
      <OverlayHead id={titleId} title={name} onClose={onClose} />
      <DialogBody>
        <p><span className="customer-muted">{t('col.phone')}</span> <Masked value={phone} label={t('col.phone')} onReveal={async (reason) => (await call(revealField, { userId, field: 'phone', reason }, { quiet: true })).value} /></p>
      </DialogBody>
      <DialogFooter actions={<Button text={t('ui:form.close')} onClick={onClose} />} />
    </Dialog>
  )
}
