import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { PercentInput } from '#client/ui/form/fields.tsx'
import { MoneyInput } from '#client/ui/form/MoneyInput.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { BATCH_PARAMS, type BatchKind, type BatchParams } from '#shared/rules/batch-sets.ts'

type Name = keyof BatchParams
type Params = Readonly<Record<Name, number | null>>
const NONE: Params = { amount: null, ratio: null, rate: null }

/** What a type of batch needs to know: one value, of the kind that is chosen. */
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
  const names = BATCH_PARAMS[type]
  const [chosen, setChosen] = useState<Name>('amount')
  const name = names.find((one) => one === chosen) ?? names[0]
  if (name === undefined) return null
  const set = (value: number | null) => onChange({ ...NONE, [name]: value })
  const Input = name === 'amount' ? MoneyInput : PercentInput
  return (
    <>
      {names.length > 1 && (
        <Segmented
          label={t('col.params')}
          value={name}
          segments={names.map((value) => ({ value, label: t(`param.${value}`) }))}
          onChange={(next) => {
            setChosen(next)
            onChange(NONE)
          }}
        />
      )}
      <label className="batch-param">
        {t(`param.${name}`)}
        <Input key={name} aria-label={t(`param.${name}`)} value={params[name]} onChange={set} />
      </label>
    </>
  )
}
