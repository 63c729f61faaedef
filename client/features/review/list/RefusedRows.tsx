import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { problemText } from '#client/session/call-error.ts'
import { OverlayHead } from '#client/ui/OverlayHead.tsx'
import type { BulkResult } from '#shared/kernel/page.ts'
import { useSay } from '../use-say.ts'

/** Rows that a bulk action refused, each with its reason; the others were done. */
export function RefusedRows({ failed, onClose }: { failed: BulkResult['failed']; onClose: () => void }): ReactNode {
  const t = useSay()
  const titleId = useId()
  return (
    <Dialog isOpen={failed.length > 0} onClose={onClose} aria-labelledby={titleId} className="form-dialog">
      <OverlayHead id={titleId} title={t('done.refused', { count: failed.length })} onClose={onClose} />
      <DialogBody>
        <ul className="refused-rows">
          {failed.map(({ id, msg, problem, params }) => (
            <li key={id}>
              <strong className="tabular">{id}</strong> {problemText(problem ? { id: problem, params: params ?? {} } : null) ?? msg}
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter actions={<Button autoFocus intent="primary" text={t('done.close')} onClick={onClose} />} />
    </Dialog>
  )
}
