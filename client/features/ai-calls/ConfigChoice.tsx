/** The configuration that new tasks follow. */
import './ai-calls.css'
import { HTMLSelect } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { AiOptions } from './ai-types.ts'

export function ConfigChoice({
  configs,
  value,
  onChange,
}: {
  configs: AiOptions['configs']
  value: string
  onChange: (configId: string) => void
}): ReactNode {
  const t = useText('robot')
  return (
    <label className="ai-create">
      <span>{t('col.configId')}</span>
      <HTMLSelect
        fill
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        options={configs.map((one) => ({
          value: one.configId,
          label: t('configLabel', {
            name: one.productName,
            from: one.minOverdueDays,
            to: one.maxOverdueDays,
            robot: one.robotName,
          }),
        }))}
      />
    </label>
  )
}
