/** Contents of the filters with more than one value. */
import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { DayInput } from '#client/ui/form/DayInput.tsx'
import type { FilterOption } from './filter-text.ts'
import type { Range } from '#client/ui/grid/grid-url.ts'
import { DAY_PRESETS, presetDays } from '#client/ui/value/ist-format.ts'
import { MoneyInput } from '#client/ui/form/MoneyInput.tsx'

/** More options than this get a search field. */
const SEARCH_FROM = 10

export function ManyPane({
  options,
  value,
  onChange,
}: {
  options: readonly FilterOption[]
  value: readonly string[]
  onChange: (value: readonly string[]) => void
}): ReactNode {
  const t = useText('ui')
  const [search, setSearch] = useState('')
  const found = options.filter((option) =>
    option.label.toLowerCase().includes(search.toLowerCase()),
  )
  return (
    <div className="many-pane">
      {options.length > SEARCH_FROM && (
        <input
          type="search"
          className="bp6-input"
          aria-label={t('filter.search')}
          placeholder={t('filter.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <div className="many-list">
        {found.map((option) => (
          <label key={option.value} className="check">
            <input
              type="checkbox"
              checked={value.includes(option.value)}
              onChange={(event) =>
                onChange(
                  event.target.checked
                    ? [...value, option.value]
                    : value.filter((one) => one !== option.value),
                )
              }
            />
            {option.label}
          </label>
        ))}
      </div>
    </div>
  )
}

export function FigureRangePane({
  label,
  money,
  value,
  onChange,
}: {
  label: string
  money: boolean
  value: Range<number>
  onChange: (value: Range<number>) => void
}): ReactNode {
  const t = useText('ui')
  const bound = (end: 'from' | 'to') => {
    const name = `${label} ${t(end === 'from' ? 'filter.from' : 'filter.to')}`
    const set = (figure: number | null) =>
      !Number.isNaN(figure) && onChange({ ...value, [end]: figure ?? undefined })
    if (money)
      return (
        <MoneyInput
          aria-label={name}
          placeholder={t(end === 'from' ? 'filter.from' : 'filter.to')}
          value={value[end] ?? null}
          onChange={set}
        />
      )
    return (
      <input
        type="number"
        step={1}
        className="bp6-input tabular"
        aria-label={name}
        placeholder={t(end === 'from' ? 'filter.from' : 'filter.to')}
        value={value[end] ?? ''}
        onChange={(event) =>
          set(event.target.value === '' ? null : Math.trunc(event.target.valueAsNumber))
        }
      />
    )
  }
  return (
    <div className="range-pane">
      {bound('from')}
      <span aria-hidden="true">–</span>
      {bound('to')}
    </div>
  )
}

/** IST days, both ends included. */
export function DayRangePane({
  label,
  value,
  onChange,
}: {
  label: string
  value: Range<string>
  onChange: (value: Range<string>) => void
}): ReactNode {
  const t = useText('ui')
  // A preset replaces typed text that could not be read.
  const [presets, setPresets] = useState(0)
  const bound = (end: 'from' | 'to') => (
    <DayInput
      key={presets}
      aria-label={`${label} ${t(end === 'from' ? 'filter.from' : 'filter.to')}`}
      min={end === 'to' ? value.from : undefined}
      max={end === 'from' ? value.to : undefined}
      value={value[end] ?? null}
      onChange={(day) => typeof day !== 'number' && onChange({ ...value, [end]: day ?? undefined })}
    />
  )
  return (
    <div>
      <div className="range-presets">
        {DAY_PRESETS.map((preset) => (
          <Button
            key={preset}
            size="small"
            variant="outlined"
            text={t(`preset.${preset}`)}
            onClick={() => {
              setPresets(presets + 1)
              onChange(presetDays(preset, uiNow()))
            }}
          />
        ))}
      </div>
      <div className="range-pane">
        {bound('from')}
        <span aria-hidden="true">–</span>
        {bound('to')}
      </div>
    </div>
  )
}
