/** What was chosen so far, and the button that chooses more. The place around it takes what is dropped and pasted (`useFileTarget`). */
import './files.css'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useRef } from 'react'
import type { ControlProps } from '#client/ui/Field.tsx'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { ATTACHED } from '#shared/kernel/kept-file.ts'
import { type FileTarget, nameOf } from './file-target.ts'
import { useSay } from './use-say.ts'

export interface FilePickerProps {
  files: readonly File[]
  target: FileTarget
  rule?: Pick<FileRule, 'kinds' | 'most'>
  /** Of the field it stands in; alone it names itself. */
  control?: ControlProps & { name: string; onBlur: () => void }
  disabled?: boolean
}

export function FilePicker({
  files,
  target,
  rule = ATTACHED,
  control,
  disabled = false,
}: FilePickerProps): ReactNode {
  const t = useSay()
  const input = useRef<HTMLInputElement>(null)
  const isClosed = disabled || target.isFull
  const isOne = rule.most === 1
  return (
    <>
      {files.length > 0 && (
        <ul className="file-list" aria-label={t('chosen')}>
          {files.map((file) => (
            <li key={nameOf(file)}>
              <span className="file-name" title={file.name}>
                {file.name}
              </span>{' '}
              <span className="tabular">{sizeOf(file.size)}</span>
              <Button
                variant="minimal"
                size="small"
                icon="cross"
                disabled={disabled}
                aria-label={t('remove', { name: file.name })}
                title={t('remove', { name: file.name })}
                onClick={() => target.remove(file)}
              />
            </li>
          ))}
        </ul>
      )}
      <input
        {...(control ?? { 'aria-label': t('choose') })}
        ref={input}
        className="visually-hidden"
        type="file"
        multiple={!isOne}
        accept={rule.kinds.map((kind) => ENDINGS[kind] ?? `.${kind}`).join(',')}
        {...(control ? {} : { tabIndex: -1 })}
        disabled={isClosed}
        onChange={(event) => {
          target.take(event.target.files ?? [])
          // the same file may be chosen again after it was taken out
          event.target.value = ''
        }}
      />
      <Button
        size="small"
        icon="document"
        text={t(isOne ? 'chooseOne' : 'choose')}
        disabled={isClosed}
        onClick={() => input.current?.click()}
      />
      <span className="field-help">{t(isOne ? 'dropOneHere' : 'dropHere')}</span>
    </>
  )
}

const ENDINGS: Readonly<Record<string, string>> = { jpg: '.jpg,.jpeg' }

const sizeOf = (bytes: number) =>
  bytes < 1_048_576
    ? `${Math.max(1, Math.round(bytes / 1_024))} KB`
    : `${Math.round((bytes * 10) / 1_048_576) / 10} MB`
