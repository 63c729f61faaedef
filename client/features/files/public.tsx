/**
 * What other features may use of files: fields of forms, and stored files of records. Each part
 * waits for its own texts, so the screen around it does not.
 */
import type { ReactNode } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import type { FileButtonsProps } from './FileButtons.tsx'

export { useFileTarget } from './file-target.ts'
export { checkFiles, faultOfFiles, useFormFiles } from './form-files.ts'

const Buttons = lazyPart(() =>
  import('./FileButtons.tsx').then((m) => ({ default: m.FileButtons })),
)

export const FilesField = lazyPart(() =>
  import('./FilesField.tsx').then((m) => ({ default: m.FilesField })),
)
export const FilePicker = lazyPart(() =>
  import('./FilePicker.tsx').then((m) => ({ default: m.FilePicker })),
)
export const KeptFiles = lazyPart(() =>
  import('./KeptFiles.tsx').then((m) => ({ default: m.KeptFiles })),
)
export const FilesDialog = lazyPart(() =>
  import('./FilesDialog.tsx').then((m) => ({ default: m.FilesDialog })),
)

export function FileButtons(props: FileButtonsProps): ReactNode {
  return props.files.length === 0 ? null : <Buttons {...props} />
}
