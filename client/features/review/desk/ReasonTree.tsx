/** Reject reasons by kind; typing a code opens its kind and selects it. */
import { useText } from '#client/base/use-text.ts'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import {
  REJECT_CODES,
  REJECT_KINDS,
  type RejectCode,
  type RejectKind,
  rejectKindOf,
} from '#shared/review/reject-reasons.ts'

export function ReasonTree({
  value,
  disabled,
  isFault,
  onChoose,
}: {
  value: RejectCode | null
  disabled: boolean
  isFault: boolean
  onChoose: (code: RejectCode) => void
}): ReactNode {
  const t = useText('review')
  const id = useId()
  const [typed, setTyped] = useState<string>(value ?? '')
  const [open, setOpen] = useState<RejectKind | null>(value ? rejectKindOf(value) : null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Rejecting starts in this field, so that it works by keyboard alone.
    if (!disabled && value === null) field.current?.focus()
  }, [disabled, value])
  useEffect(() => {
    if (isFault) field.current?.focus()
  }, [isFault])
  useEffect(() => {
    if (!value) return
    setTyped(value)
    setOpen(rejectKindOf(value))
  }, [value])

  function type(text: string): void {
    const code = text
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .slice(0, 3)
    setTyped(code)
    const kind = REJECT_KINDS.find((one) => code.startsWith(one))
    if (kind) setOpen(kind)
    const exact = REJECT_CODES.find((one) => one === code)
    if (exact) onChoose(exact)
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      // Leaves the field, not the workspace.
      event.stopPropagation()
      field.current?.blur()
    }
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing)
      return
    event.preventDefault()
    const first = typed ? REJECT_CODES.find((one) => one.startsWith(typed)) : undefined
    if (first) onChoose(first)
  }
  return (
    <fieldset className="reasons" disabled={disabled} aria-invalid={isFault || undefined}>
      <legend className="visually-hidden">{t('decide.reason')}</legend>
      <label className="reason-field" htmlFor={`${id}-code`}>
        <span>{t('decide.code')}</span>
        <input
          ref={field}
          id={`${id}-code`}
          className="bp6-input tabular"
          autoComplete="off"
          spellCheck={false}
          placeholder="A01"
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKey}
        />
        <span className="reason-chosen">{value ? t(`reject.${value}`) : t('decide.codeHint')}</span>
      </label>
      {REJECT_KINDS.map((kind) => {
        const codes = REJECT_CODES.filter((code) => rejectKindOf(code) === kind)
        return (
          <div key={kind} className="reason-kind">
            <button
              type="button"
              className="reason-head"
              aria-expanded={open === kind}
              aria-controls={`${id}-${kind}`}
              onClick={() => setOpen(open === kind ? null : kind)}
            >
              <b>{kind}</b> {t(`kind.${kind}`)}{' '}
              <span className="desk-muted tabular">{codes.length}</span>
            </button>
            {open === kind && (
              <div id={`${id}-${kind}`} role="radiogroup" aria-label={t(`kind.${kind}`)}>
                {codes.map((code) => (
                  <label key={code} className="reason" data-chosen={value === code || undefined}>
                    <input
                      type="radio"
                      name={`${id}-reason`}
                      checked={value === code}
                      onChange={() => onChoose(code)}
                    />
                    <b className="tabular">{code}</b> <span>{t(`reject.${code}`)}</span>
                  </label>
                ))}
              </div>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
