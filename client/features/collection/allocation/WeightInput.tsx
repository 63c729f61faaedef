import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useState } from 'react'
import { clampWeight } from './allocation-tree.ts'

export function WeightInput({
  name,
  value,
  onChange,
}: {
  name: string
  value: number
  onChange: (weight: number) => void
}): ReactNode {
  const t = useText('collection')
  // an empty field counts as 0 in the plan but stays empty on the screen
  const [isEmpty, setIsEmpty] = useState(false)
  return (
    <input
      className="bp6-input tabular alloc-weight"
      type="number"
      min={0}
      max={100}
      aria-label={t('setup.weightOf', { name })}
      value={isEmpty ? '' : value}
      onBlur={() => setIsEmpty(false)}
      onChange={(event) => {
        setIsEmpty(event.target.value === '')
        onChange(event.target.value === '' ? 0 : clampWeight(event.target.valueAsNumber))
      }}
    />
  )
}
