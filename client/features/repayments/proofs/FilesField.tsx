/** Files of a form: chosen, dropped or pasted, checked by their bytes before anything is sent. */
import { Button } from '@blueprintjs/core'
import { type ClipboardEvent, type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Field } from '#client/ui/Field.tsx'
import { fileKindOf } from '#shared/kernel/file-kind.ts'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { useSay } from '../use-say.ts'

export function FilesField({ rule, label }: { rule: FileRule; label: string }): ReactNode {
  const t = useSay()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    <Field name={rule.name} label={label} help={t('proof.filesHelp', { most: rule.most, mb: rule.bytes / 1_048_576 })}>
      {(control, props) => {
        const files = (control.value ?? []) as readonly File[]
        const take = (more: Iterable<File>) => {
          const known = new Set(files.map(nameOf))
          control.onChange([...files, ...[...more].filter((file) => !known.has(nameOf(file)))].slice(0, rule.most))
        }
        const drop = (event: DragEvent) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files)
        }
        const paste = (event: ClipboardEvent) => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          take(event.clipboardData.files)
        }
        return (
          <div className="proof-drop" data-over={isOver || undefined} onDragOver={(event) => { event.preventDefault(); setOver(true) }} onDragLeave={() => setOver(false)} onDrop={drop} onPaste={paste}>
            <ul>
              {files.map((file) => (
                <li key={nameOf(file)}>
                  <span className="proof-name" title={file.name}>{file.name}</span> <span className="tabular">{sizeOf(file.size)}</span>
                  <Button variant="minimal" size="small" icon="cross" aria-label={t('proof.remove', { name: file.name })} title={t('proof.remove', { name: file.name })} onClick={() => control.onChange(files.filter((one) => one !== file))} />
                </li>
              ))}
            </ul>
            <input
              ref={input} className="visually-hidden" type="file" multiple accept=".jpg,.jpeg,.png,.pdf" {...props} name={control.name} onBlur={control.onBlur} disabled={files.length >= rule.most}
              onChange={(event) => {
                take(event.target.files ?? [])
                // the same file may be chosen again after it was taken out
                event.target.value = ''
              }}
            />
            <Button size="small" icon="document" text={t('proof.choose')} disabled={files.length >= rule.most} onClick={() => input.current?.click()} />
            <span className="field-help">{t('proof.dropHere')}</span>
          </div>
        )
      }}
    </Field>
  )
}

/** Message key of what is wrong with the files, or null. Only the beginning and, of a PDF, all of it is read. */
export async function faultOfFiles(files: readonly File[], rule: FileRule): Promise<string | null> {
  if (files.length < rule.least) return 'ui:fault.required'
  for (const file of files) {
    if (file.size > rule.bytes) return 'ui:fault.fileSize'
    const kind = fileKindOf(new Uint8Array(await file.arrayBuffer()))
    if (kind === null || !rule.kinds.includes(kind)) return 'ui:fault.fileKind'
  }
  return null
}

const nameOf = (file: File) => `${file.name}:${file.size}:${file.lastModified}`
const sizeOf = (bytes: number) => (bytes < 1_048_576 ? `${Math.max(1, Math.round(bytes / 1_024))} KB` : `${Math.round((bytes * 10) / 1_048_576) / 10} MB`)
