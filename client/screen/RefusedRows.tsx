import './refused-rows.css'
import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/live/use-connection.ts'
import { problemText } from '#client/session/call-error.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import type { BulkResult } from '#shared/kernel/page.ts'

/** Rows that a bulk action refused, each with its reason; the others are done. */
export function RefusedRows({
  failed,
  onAgain,
  onClose,
}: {
  failed: BulkResult['failed']
  onAgain?: (ids: string[]) => Promise<void>
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation('ui')
  const { reason: offline } = useConnection()
  const titleId = useId()
  return (
    <Dialog
      isOpen={failed.length > 0}
      onClose={onClose}
      aria-labelledby={titleId}
      className="form-dialog"
    >
      <OverlayHead
        id={titleId}
        title={t('bulk.refused', { count: failed.length })}
        onClose={onClose}
      />
      <DialogBody>
        <ul className="refused-rows">
          {failed.map(({ id, msg, problem, params }) => (
            <li key={id}>
              <strong className="tabular">{id}</strong>{' '}
              {problemText(problem ? { id: problem, params: params ?? {} } : null) ?? msg}
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {/* `call` says what went wrong */}
            {onAgain && (
              <ActionButton
                icon="refresh"
                text={t('bulk.again', { count: failed.length })}
                disabledReason={offline}
                onClick={() => onAgain(failed.map(({ id }) => id)).catch(() => undefined)}
              />
            )}
            <Button autoFocus intent="primary" text={t('form.close')} onClick={onClose} />
          </>
        }
      />
    </Dialog>
  )
}
