/** A list that is pasted, a sheet that is chosen, or both; and what of it is left out, by reason. */
import './list-or-sheet.css'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useRef } from 'react'
import { useText } from '#client/base/use-text.ts'

export function ListOrSheet({
  id,
  label,
  help,
  placeholder,
  rows = 4,
  list,
  file,
  takesFocus = false,
  onChange,
  onTemplate,
}: {
  id: string
  label: string
  help?: string
  /** An id as it may be pasted. */
  placeholder: string
  rows?: number
  list: string
  file: File | null
  takesFocus?: boolean
  onChange: (list: string, file: File | null) => void
  /** Loads a sheet to be filled in. */
  onTemplate?: (format: 'xlsx' | 'csv') => void
}): ReactNode {
  const t = useText('files')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <div className="confirm-field">
        <label htmlFor={id}>{label}</label>
        <textarea
          id={id}
          className="bp6-input"
          rows={rows}
          value={list}
          placeholder={placeholder}
          autoFocus={takesFocus}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
          onChange={(event) => onChange(event.target.value, file)}
        />
        {help !== undefined && (
          <p id={`${id}-help`} className="sheet-help">
            {help}
          </p>
        )}
      </div>
      <div className="sheet-line">
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          accept=".xlsx,.csv"
          aria-label={t('sheet.file')}
          onChange={(event) => {
            onChange(list, event.target.files?.[0] ?? null)
            event.target.value = ''
          }}
        />
        <Button
          size="small"
          icon="upload"
          text={t('sheet.file')}
          onClick={() => input.current?.click()}
        />
        {file ? (
          <span className="sheet-name">
            {file.name}{' '}
            <Button
              variant="minimal"
              size="small"
              icon="cross"
              aria-label={t('sheet.remove', { name: file.name })}
              title={t('sheet.remove', { name: file.name })}
              onClick={() => onChange(list, null)}
            />
          </span>
        ) : null}
        {onTemplate && (
          <span className="sheet-template">
            {(['xlsx', 'csv'] as const).map((format) => (
              <Button
                key={format}
                variant="minimal"
                size="small"
                icon="download"
                text={t('sheet.template', { format: format.toUpperCase() })}
                onClick={() => onTemplate(format)}
              />
            ))}
          </span>
        )}
      </div>
    </>
  )
}

/** Every row that is left out, under its reason. */
export function LeftOut({
  groups,
  title,
  more,
}: {
  groups: readonly { reason: string; ids: readonly string[] }[]
  title: string
  /** Said when not all of them are named. */
  more: string | null
}): ReactNode {
  return (
    <div className="sheet-left-out" role="status" tabIndex={0}>
      <strong>{title}</strong>
      <dl>
        {groups
          .filter(({ ids }) => ids.length > 0)
          .map(({ reason, ids }) => (
            <div key={reason}>
              <dt>
                {reason} ({ids.length})
              </dt>
              <dd className="tabular">{ids.join(', ')}</dd>
            </div>
          ))}
      </dl>
      {more !== null && <p>{more}</p>}
    </div>
  )
}
