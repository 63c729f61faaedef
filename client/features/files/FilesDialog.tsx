/** The files of a record in a dialog. */
import { Dialog } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import { KeptFiles, type KeptFilesProps } from './KeptFiles.tsx'

export interface FilesDialogProps extends KeptFilesProps {
  title: string
  onClose: () => void
}

export function FilesDialog({ title, onClose, ...files }: FilesDialogProps): ReactNode {
  const titleId = useId()
  return (
    <Dialog
      isOpen
      onClose={onClose}
      aria-labelledby={titleId}
      className="form-dialog"
      style={{ width: 620 }}
    >
      <OverlayHead id={titleId} title={title} onClose={onClose} />
      <div className="file-look">
        <KeptFiles {...files} />
      </div>
    </Dialog>
  )
}
