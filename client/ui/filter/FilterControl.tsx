/**
 * The control of one filter; `compact` = on the bar, labelled by its placeholder or button, else
 * with a label above.
 */
import { Button, PopoverNext } from '@blueprintjs/core'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { focusOpened } from '#client/ui/frame/focus-opened.ts'
import type { FilterField } from './filter-types.ts'
import { DayRangePane, FigureRangePane, ManyPane } from './FilterPanes.tsx'
import { filterText } from './filter-text.ts'
import { enterRows } from '#client/ui/grid/front-grid.ts'
import { isEmptyFilter, type Range } from '#client/ui/grid/grid-url.ts'

interface FilterControlProps {
  field: FilterField
  value: unknown
  onChange: (value: unknown, how?: { replace?: boolean }) => void
  compact?: boolean
}

/** Delay between the last keystroke and the call. */
const TYPING_MS = 400

export function FilterControl({
  field,
  value,
  onChange,
  compact = false,
}: FilterControlProps): ReactNode {
  const id = useId()
  const control =
    field.kind === 'text' ? (
      <TextFilter
        id={id}
        field={field}
        value={typeof value === 'string' ? value : ''}
        onChange={onChange}
        compact={compact}
      />
    ) : field.kind === 'one' ? (
      <OneFilter
        id={id}
        field={field}
        value={typeof value === 'string' ? value : ''}
        onChange={onChange}
        compact={compact}
      />
    ) : field.kind === 'flag' ? (
      <label className="check">
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked || undefined)}
        />
        {field.label}
      </label>
    ) : compact ? (
      <PaneButton field={field} value={value}>
        <Pane field={field} value={value} onChange={onChange} />
      </PaneButton>
    ) : (
      <Pane field={field} value={value} onChange={onChange} />
    )
  if (compact) return control
  const single = field.kind === 'text' || field.kind === 'one'
  return (
    <div
      className="filter-field"
      role={single ? undefined : 'group'}
      aria-labelledby={single ? undefined : `${id}-label`}
    >
      {field.kind !== 'flag' &&
        (single ? (
          <label htmlFor={id}>{field.label}</label>
        ) : (
          <span id={`${id}-label`} className="filter-label">
            {field.label}
          </span>
        ))}
      {control}
    </div>
  )
}

function Pane({ field, value, onChange }: Omit<FilterControlProps, 'compact'>): ReactNode {
  if (field.kind === 'many')
    return (
      <ManyPane
        options={field.options ?? []}
        value={(value as readonly string[] | undefined) ?? []}
        onChange={(next) => onChange(next.length ? next : undefined)}
      />
    )
  const clean = (range: Range<number | string>) =>
    onChange(isEmptyFilter(range) ? undefined : range)
  if (field.kind === 'day')
    return (
      <DayRangePane
        label={field.label}
        value={(value as Range<string> | undefined) ?? {}}
        onChange={clean}
      />
    )
  return (
    <FigureRangePane
      label={field.label}
      money={field.kind === 'money'}
      value={(value as Range<number> | undefined) ?? {}}
      onChange={clean}
    />
  )
}

function PaneButton({
  field,
  value,
  children,
}: {
  field: FilterField
  value: unknown
  children: ReactNode
}): ReactNode {
  const language = useLanguage()
  const text = filterText(field.kind, value, field.options, language)
  return (
    <PopoverNext
      placement="bottom-start"
      content={
        <div className="filter-pane" ref={focusOpened}>
          {children}
        </div>
      }
    >
      <Button variant="outlined" endIcon="caret-down" active={text !== ''}>
        {field.label}
        {text && <b>: {text}</b>}
      </Button>
    </PopoverNext>
  )
}

type SingleProps = Omit<FilterControlProps, 'value'> & { id: string; value: string }

function TextFilter({ id, field, value, onChange, compact }: SingleProps): ReactNode {
  const [draft, setDraft] = useState(value)
  const sent = useRef(value)
  useEffect(() => {
    // Back, forward and "clear all" change the address from outside.
    if (sent.current !== value) setDraft(value)
    sent.current = value
  }, [value])
  function send(text: string, replace: boolean): void {
    const next = text.trim()
    if (next === sent.current) return
    sent.current = next
    onChange(next || undefined, { replace })
  }
  useEffect(() => {
    const timer = setTimeout(() => send(draft, true), TYPING_MS)
    return () => clearTimeout(timer)
  })
  return (
    <input
      id={id}
      type="search"
      className={`bp6-input${compact ? ' filter-quick' : ''}`}
      aria-label={compact ? field.label : undefined}
      placeholder={placeholderOf(field, compact)}
      autoComplete="off"
      spellCheck={false}
      value={draft}
      data-shortcut={field.place === 'quick' ? 'Slash' : undefined}
      onChange={(event) => setDraft(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') send(draft, false)
        if (!compact) return
        // one press does one thing: a panel beside the list stays open
        if (event.key === 'Escape') event.stopPropagation()
        if (leaves(event.key, draft)) {
          event.preventDefault()
          enterRows()
        }
      }}
    />
  )
}

/** Escape clears the text first, as the browser does. */
function leaves(key: string, draft: string): boolean {
  return key === 'ArrowDown' || (key === 'Escape' && draft === '')
}

/** On the bar a text is named by its placeholder. */
function placeholderOf({ place, placeholder, label }: FilterField, compact = false) {
  if (place === 'quick') return `/ ${placeholder ?? label}`
  return placeholder ?? (compact ? label : undefined)
}

function OneFilter({ id, field, value, onChange, compact }: SingleProps): ReactNode {
  const t = useText('ui')
  return (
    <span className="bp6-html-select field-select">
      <select
        id={id}
        aria-label={compact ? field.label : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        <option value="">
          {compact ? t('filter.any', { label: field.label }) : t('filter.all')}
        </option>
        {(field.options ?? []).map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <span className="field-caret" aria-hidden="true" />
    </span>
  )
}
