/** Whom the robot calls, in which hours, and how often. */
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useRowForm } from '#client/screen/use-row-form.ts'
import {
  ClockField,
  ManyField,
  NumberField,
  SelectField,
  TextField,
} from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { addAiConfig, editAiConfig } from '#shared/ai-calls/ai-calls-api.ts'
import { AI_RESULTS, CONFIG_STATUSES } from '#shared/ai-calls/ai-call-sets.ts'
import type { AiConfig, AiConfigFields, AiOptions } from './ai-types.ts'

type Values = AiConfigFields & { configId: string; version: number }

const OUTSIDE = { key: 'robot:fault.hours', params: {} }
const OMIT = ['configId', 'version'] as const

export function ConfigForm({
  config,
  options,
  onDone,
  onClose,
}: {
  config: AiConfig | null
  options: AiOptions
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('robot')
  const { hours } = options
  const { frame } = useRowForm<typeof addAiConfig, typeof editAiConfig, Values>({
    row: config,
    add: addAiConfig,
    edit: editAiConfig,
    saved: t('saved'),
    onDone,
    onClose,
    omit: OMIT,
    values: {
      configId: config?.configId ?? '',
      version: config?.version ?? 1,
      productId: config?.productId ?? options.products[0]?.id ?? '',
      minOverdueDays: config?.minOverdueDays ?? 1,
      maxOverdueDays: config?.maxOverdueDays ?? 3,
      startTime: config?.startTime ?? hours.from,
      endTime: config?.endTime ?? hours.to,
      robotId: config?.robotId ?? '',
      robotName: config?.robotName ?? '',
      repeatIntervalMin: config?.repeatIntervalMin ?? 120,
      repeatFrequency: config?.repeatFrequency ?? 2,
      redialIntervalMin: config?.redialIntervalMin ?? 60,
      redialMax: config?.redialMax ?? 1,
      ignoreLabels: config?.ignoreLabels ?? ['b', 'd'],
      status: config?.status ?? 'disabled',
    },
    check: ({ minOverdueDays, maxOverdueDays, startTime, endTime }) => ({
      ...((maxOverdueDays ?? Infinity) < (minOverdueDays ?? 0) && {
        maxOverdueDays: { key: 'robot:fault.days', params: {} },
      }),
      ...((startTime < hours.from || startTime >= hours.to) && { startTime: OUTSIDE }),
      ...((endTime > hours.to || endTime <= startTime) && { endTime: OUTSIDE }),
    }),
  })
  return (
    <FormDrawer
      {...frame}
      title={config === null ? t('add') : t('editTitle', { configId: config.configId })}
    >
      <SelectField
        name="productId"
        label={t('col.product')}
        options={options.products.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NumberField
        name="minOverdueDays"
        label={t('col.minOverdueDays')}
        min={-3}
        max={999}
        help={t('help.days')}
      />
      <NumberField name="maxOverdueDays" label={t('col.maxOverdueDays')} min={-3} max={999} />
      <ClockField
        name="startTime"
        label={t('col.startClock')}
        help={t('help.hours', { from: hours.from, to: hours.to })}
      />
      <ClockField name="endTime" label={t('col.endClock')} />
      <TextField name="robotName" label={t('col.robot')} maxLength={60} />
      <TextField name="robotId" label={t('col.robotId')} maxLength={40} help={t('help.robotId')} />
      <NumberField
        name="repeatFrequency"
        label={t('col.repeatFrequency')}
        min={1}
        max={10}
        help={t('help.rounds')}
      />
      <NumberField name="repeatIntervalMin" label={t('col.repeatIntervalMin')} min={30} max={720} />
      <NumberField
        name="redialMax"
        label={t('col.redialMax')}
        min={0}
        max={5}
        help={t('help.redials')}
      />
      <NumberField name="redialIntervalMin" label={t('col.redialIntervalMin')} min={5} max={240} />
      <ManyField
        name="ignoreLabels"
        label={t('col.ignoreLabels')}
        options={AI_RESULTS.map((value) => ({ value, label: t(`result.${value}`) }))}
      />
      <SelectField
        name="status"
        label={t('col.status')}
        options={CONFIG_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
      />
    </FormDrawer>
  )
}
