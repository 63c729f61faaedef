import { type ComponentProps, type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { PercentInput } from '#client/ui/form/fields.tsx'
import { MoneyInput } from '#client/ui/form/MoneyInput.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { BATCH_PARAMS, type BatchKind, type BatchParams } from '#shared/rules/batch-sets.ts'

type Name = keyof BatchParams
type Params = Readonly<Record<Name, number | null>>
export const NO_PARAMS: Params = {
  amount: null,
  ratio: null,
  rate: null,
  tenureDays: null,
  term: null,
}
const INPUTS = {
  amount: MoneyInput,
  ratio: PercentInput,
  rate: PercentInput,
  tenureDays: WholeInput,
  term: WholeInput,
} as const

/** Days, or a number of instalments. */
function WholeInput({
  value,
  onChange,
  ...props
}: Pick<ComponentProps<'input'>, 'aria-label'> & {
  value: number | null
  onChange: (value: number | null) => void
}): ReactNode {
  return (
    <input
      className="bp6-input tabular"
      type="number"
      inputMode="numeric"
      min={1}
      step={1}
      {...props}
      value={value === null || Number.isNaN(value) ? '' : value}
      onChange={({ target }) => onChange(target.value === '' ? null : target.valueAsNumber)}
    />
  )
}

/** What a type of batch needs to know, in the way that is chosen where there are several. */
export function BatchParamFields({
  type,
  params,
  onChange,
}: {
  type: BatchKind
  params: Params
  onChange: (params: Params) => void
}): ReactNode {
  const t = useText('rules')
  const ways = BATCH_PARAMS[type]
  const [chosen, setChosen] = useState<Name>('amount')
  const way = ways.find((names) => names.includes(chosen)) ?? ways[0]
  if (way === undefined) return null
  return (
    <>
      {ways.length > 1 && (
        <Segmented
          label={t('col.params')}
          value={way[0] ?? chosen}
          segments={ways.flat().map((value) => ({ value, label: t(`param.${value}`) }))}
          onChange={(next) => {
            setChosen(next)
            onChange(NO_PARAMS)
          }}
        />
      )}
      {way.map((name) => {
        const Input = INPUTS[name]
        return (
          <label key={name} className="batch-param">
            {t(`param.${name}`)}
            <Input
              aria-label={t(`param.${name}`)}
              value={params[name]}
              onChange={(value: number | null) => onChange({ ...params, [name]: value })}
            />
          </label>
        )
      })}
    </>
  )
}
