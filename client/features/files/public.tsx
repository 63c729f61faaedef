/**
 * What other features may use of files: fields of forms, and stored files of records. Each part
 * suspends for its own texts, so the screen around it does not.
 */
import type { ReactNode } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import type { FileButtonsProps } from './FileButtons.tsx'
import type { FilePickerProps } from './FilePicker.tsx'
import type { FilesDialogProps } from './FilesDialog.tsx'
import type { FilesFieldProps } from './FilesField.tsx'
import type { KeptFilesProps } from './KeptFiles.tsx'

export { useFileTarget } from './file-target.ts'
export { checkFiles, faultOfFiles, useFormFiles } from './form-files.ts'

const Field = lazyPart(() => import('./FilesField.tsx').then((m) => ({ default: m.FilesField })))
const Picker = lazyPart(() => import('./FilePicker.tsx').then((m) => ({ default: m.FilePicker })))
const Buttons = lazyPart(() =>
  import('./FileButtons.tsx').then((m) => ({ default: m.FileButtons })),
)
const Kept = lazyPart(() => import('./KeptFiles.tsx').then((m) => ({ default: m.KeptFiles })))
const Dialog = lazyPart(() => import('./FilesDialog.tsx').then((m) => ({ default: m.FilesDialog })))

export function FilesField(props: FilesFieldProps): ReactNode {
  return <Field {...props} />
}

export function FilePicker(props: FilePickerProps): ReactNode {
  return <Picker {...props} />
}

export function FileButtons(props: FileButtonsProps): ReactNode {
  return props.files.length === 0 ? null : <Buttons {...props} />
}

export function KeptFiles(props: KeptFilesProps): ReactNode {
  return <Kept {...props} />
}

export function FilesDialog(props: FilesDialogProps): ReactNode {
  return <Dialog {...props} />
}
