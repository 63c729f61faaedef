import './refused-rows.css'
import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { problemText } from '#client/session/call-error.ts'
import { OverlayHead } from '#client/ui/OverlayHead.tsx'
import type { BulkResult } from '#shared/kernel/page.ts'

/** Rows that a bulk action refused, each with its reason; the others were done. */
export function RefusedRows({ failed, onClose }: { failed: BulkResult['failed']; onClose: () => void }): ReactNode {
  const { t } = useTranslation('ui')
  const titleId = useId()
  return (
    <Dialog isOpen={failed.length > 0} onClose={onClose} aria-labelledby={titleId} className="form-dialog">
      <OverlayHead id={titleId} title={t('bulk.refused', { count: failed.length })} onClose={onClose} />
      <DialogBody>
        <ul className="refused-rows">
          {failed.map(({ id, msg, problem, params }) => (
            <li key={id}>
              <strong className="tabular">{id}</strong> {problemText(problem ? { id: problem, params: params ?? {} } : null) ?? msg}
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter actions={<Button autoFocus intent="primary" text={t('form.close')} onClick={onClose} />} />
    </Dialog>
  )
}
