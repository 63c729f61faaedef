/**
 * Filters of a list, declared as data and kept in the address. One line: the quick field (key `/`),
 * the most used filters, the others behind a button; active filters are shown as removable chips.
 */
import './filter.css'
import '#client/ui/form/form.css'
import { Button, PopoverNext } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { focusOpened } from '#client/ui/frame/focus-opened.ts'
import { FilterControl } from './FilterControl.tsx'
import { filterText } from './filter-text.ts'
import type { FilterField } from './filter-types.ts'
import { type OfferedKey, useOffer } from '#client/ui/frame/offers.ts'
import { press } from '#client/ui/frame/shortcut.ts'
import { type FilterKinds, type Filters, isEmptyFilter } from '#client/ui/grid/grid-url.ts'

export interface FilterBarProps<Kinds extends FilterKinds> {
  fields: readonly FilterField<Extract<keyof Kinds, string>>[]
  filters: Filters<Kinds>
  onChange: (change: Partial<Filters<Kinds>>, how?: { replace?: boolean }) => void
  onReset: () => void
  /** Right end: buttons of the page. */
  children?: ReactNode
}

const NO_KEYS: readonly OfferedKey[] = []
const QUICK_KEY: readonly OfferedKey[] = [{ code: 'Slash', labelKey: 'ui:keys.filter' }]

export function FilterBar<Kinds extends FilterKinds>({
  fields: all,
  filters,
  onChange,
  onReset,
  children,
}: FilterBarProps<Kinds>): ReactNode {
  const t = useText('ui')
  const language = useLanguage()
  const [open, setOpen] = useState(false)
  const fields = all.filter(({ place }) => place !== 'views')
  const visible = fields.filter((field) => field.place === 'quick' || field.place === 'bar')
  const hidden = fields.filter((field) => !visible.includes(field))
  const active = fields.filter((field) => !isEmptyFilter(filters[field.name]))
  const chips = active.filter((field) => hidden.includes(field))
  const set = (name: string) => (value: unknown, how?: { replace?: boolean }) =>
    onChange({ [name]: value } as Partial<Filters<Kinds>>, how)
  const quick = fields.find((field) => field.place === 'quick')
  useOffer(quick ? QUICK_KEY : NO_KEYS, () =>
    quick
      ? [
          {
            id: 'filter',
            text: t('keys.filter'),
            note: quick.label,
            code: 'Slash',
            run: () => void press('Slash'),
          },
        ]
      : [],
  )
  return (
    <search className="filters" aria-label={t('filter.title')}>
      {visible.map((field) => (
        <FilterControl
          key={field.name}
          field={field}
          value={filters[field.name] ?? field.preset}
          onChange={set(field.name)}
          compact
        />
      ))}
      {hidden.length > 0 && (
        <PopoverNext
          isOpen={open}
          onInteraction={setOpen}
          placement="bottom-start"
          content={
            <div className="filters-more" ref={focusOpened}>
              {hidden.map((field) => (
                <FilterControl
                  key={field.name}
                  field={field}
                  value={filters[field.name]}
                  onChange={set(field.name)}
                />
              ))}
              <div className="filters-end">
                <Button text={t('filter.clearAll')} disabled={!active.length} onClick={onReset} />
                <Button intent="primary" text={t('filter.done')} onClick={() => setOpen(false)} />
              </div>
            </div>
          }
        >
          <Button icon="filter" variant="outlined" active={open} aria-expanded={open}>
            {t('filter.more')}
            {chips.length > 0 && <span className="filters-count tabular">{chips.length}</span>}
          </Button>
        </PopoverNext>
      )}
      {chips.map((field) => (
        <span key={field.name} className="filter-chip">
          <span>
            {field.label}:{' '}
            <b>{filterText(field.kind, filters[field.name], field.options, language)}</b>
          </span>
          <Button
            variant="minimal"
            size="small"
            icon="small-cross"
            aria-label={t('filter.clear', { label: field.label })}
            title={t('filter.clear', { label: field.label })}
            onClick={() => set(field.name)(undefined)}
          />
        </span>
      ))}
      {active.length > 0 && (
        <Button
          variant="minimal"
          icon="filter-remove"
          text={t('filter.clearAll')}
          onClick={onReset}
        />
      )}
      {children && <span className="filters-actions">{children}</span>}
    </search>
  )
}
