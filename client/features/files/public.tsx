/** What other features may use of files: to take them in a form, and to show those that stay with a record. Each part waits for its texts by itself, not the screen around it. */
import { lazy, type ReactNode, Suspense } from 'react'
import type { FileButtonsProps } from './FileButtons.tsx'
import type { FilePickerProps } from './FilePicker.tsx'
import type { FilesDialogProps } from './FilesDialog.tsx'
import type { FilesFieldProps } from './FilesField.tsx'
import type { KeptFilesProps } from './KeptFiles.tsx'

export { useFileTarget } from './file-target.ts'
export { checkFiles, faultOfFiles, useFormFiles } from './form-files.ts'

const Field = lazy(() => import('./FilesField.tsx').then((m) => ({ default: m.FilesField })))
const Picker = lazy(() => import('./FilePicker.tsx').then((m) => ({ default: m.FilePicker })))
const Buttons = lazy(() => import('./FileButtons.tsx').then((m) => ({ default: m.FileButtons })))
const Kept = lazy(() => import('./KeptFiles.tsx').then((m) => ({ default: m.KeptFiles })))
const Dialog = lazy(() => import('./FilesDialog.tsx').then((m) => ({ default: m.FilesDialog })))

export function FilesField(props: FilesFieldProps): ReactNode {
  return (
    <Suspense fallback={null}>
      <Field {...props} />
    </Suspense>
  )
}

export function FilePicker(props: FilePickerProps): ReactNode {
  return (
    <Suspense fallback={null}>
      <Picker {...props} />
    </Suspense>
  )
}

export function FileButtons(props: FileButtonsProps): ReactNode {
  return props.files.length === 0 ? null : (
    <Suspense fallback={null}>
      <Buttons {...props} />
    </Suspense>
  )
}

export function KeptFiles(props: KeptFilesProps): ReactNode {
  return (
    <Suspense fallback={null}>
      <Kept {...props} />
    </Suspense>
  )
}

export function FilesDialog(props: FilesDialogProps): ReactNode {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  )
}
