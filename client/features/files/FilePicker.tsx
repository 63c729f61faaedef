/**
 * The chosen files and the button that chooses more. The surrounding element accepts drop and paste
 * (`useFileTarget`).
 */
import { useText } from '#client/base/use-text.ts'
import './files.css'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useRef } from 'react'
import type { ControlProps } from '#client/ui/form/Field.tsx'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { ATTACHED } from '#shared/kernel/kept-file.ts'
import { type FileTarget, nameOf } from './file-target.ts'

export interface FilePickerProps {
  files: readonly File[]
  target: FileTarget
  rule?: Pick<FileRule, 'kinds' | 'most'>
  /** Id of the label of its field; without it the picker has a label of its own. */
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
  const t = useText('files')
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
        tabIndex={control ? 0 : -1}
        disabled={isClosed}
        onChange={(event) => {
          target.take(event.target.files ?? [])
          // allows choosing a removed file again
          event.target.value = ''
        }}
      />
      <Button
        size="small"
        icon="document"
        text={t(isOne ? 'chooseOne' : 'choose')}
        disabled={isClosed}
        // a labelled field is one stop: its input, which has the ring drawn around the button
        tabIndex={control ? -1 : 0}
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
