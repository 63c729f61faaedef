import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useRowForm } from '#client/screen/use-row-form.ts'
import { NumberField, SelectField, SwitchField, TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import type { Unfinished } from '#client/ui/form/form.ts'
import type { SchemaForm } from '#client/ui/form/use-schema-form.ts'
import { ALLOCATION_MODES } from '#shared/collection/collection-sets.ts'
import { boundsFault } from '#shared/collection/stage-bounds.ts'
import { addStage, editStage } from '#shared/collection/setup-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { Stage } from './setup-types.ts'

type Values = InputOf<typeof editStage>
const NEW_OMIT = ['version'] as const
const EDIT_OMIT = ['stageId', 'version'] as const

/**
 * Checks the bounds against the other stages while typing; the form shows the effect of a change
 * before it is saved.
 */
export function StageForm({
  stage,
  stages,
  onDone,
  onClose,
}: {
  stage: Stage | null
  stages: readonly Stage[]
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('collection')
  const { form, frame } = useRowForm<typeof addStage, typeof editStage, Values>({
    row: stage,
    add: addStage,
    edit: editStage,
    omit: stage === null ? NEW_OMIT : EDIT_OMIT,
    values: {
      stageId: stage?.stageId ?? '',
      version: stage?.version ?? 1,
      name: stage?.name ?? '',
      minOverdueDays: stage?.minOverdueDays ?? 0,
      maxOverdueDays: stage?.maxOverdueDays ?? null,
      addressBookVisible: stage?.addressBookVisible ?? false,
      mode: stage?.mode ?? 'average',
      capacity: stage?.capacity ?? 150,
      status: stage?.status ?? 'disabled',
    },
    check(values) {
      const overlapping = faultOf(values, stages)
      if (overlapping === null) return null
      const fault = { key: 'collection:setup.fault.bounds', params: { stages: overlapping } }
      return { minOverdueDays: fault, maxOverdueDays: fault }
    },
    saved: t('setup.saved'),
    onDone,
    onClose,
  })
  return (
    <FormDrawer
      {...frame}
      title={stage === null ? t('setup.addStage') : t('setup.editStage', { stage: stage.stageId })}
      submitText={t('setup.save')}
    >
      {stage === null && <TextField name="stageId" label={t('setup.col.stageId')} maxLength={4} />}
      <TextField name="name" label={t('setup.col.stageName')} maxLength={20} />
      <NumberField name="minOverdueDays" label={t('setup.col.minOverdueDays')} min={0} />
      <NumberField
        name="maxOverdueDays"
        label={t('setup.col.maxOverdueDays')}
        min={0}
        help={t('setup.noEndHelp')}
      />
      <Consequences form={form} stage={stage} stages={stages} />
      <SelectField
        name="mode"
        label={t('setup.col.mode')}
        options={ALLOCATION_MODES.map((mode) => ({ value: mode, label: t(`mode.${mode}`) }))}
      />
      <NumberField name="capacity" label={t('setup.col.capacity')} min={1} max={500} />
      <SwitchField
        name="addressBookVisible"
        label={t('setup.col.addressBookVisible')}
        text={t('setup.addressBookHelp')}
      />
      <SelectField
        name="status"
        label={t('setup.col.status')}
        options={['enabled', 'disabled'].map((status) => ({
          value: status,
          label: t(`status.${status}`),
        }))}
      />
    </FormDrawer>
  )
}

/** How the typed bounds would divide the days, and what saving them would change. */
function Consequences({
  form,
  stage,
  stages,
}: {
  form: SchemaForm<Values>
  stage: Stage | null
  stages: readonly Stage[]
}): ReactNode {
  const t = useText('collection')
  const values = useValue({ control: form.form.control }) as Values
  const fault = faultOf(values, stages)
  return (
    <div role="status" className={fault === null ? 'collection-hint' : 'collection-hint is-wrong'}>
      <p>{fault === null ? t('setup.boundsRight') : t('setup.fault.bounds', { stages: fault })}</p>
      {consequencesOf(values, stage).map((point) => (
        <p key={point}>{t(`setup.consequence.${point}`)}</p>
      ))}
    </div>
  )
}

function faultOf(values: Unfinished<Values>, stages: readonly Stage[]): string | null {
  const others = stages
    .filter((one) => one.stageId !== values.stageId && one.status === 'enabled')
    .map((one) => ({ stageId: one.stageId, min: one.minOverdueDays, max: one.maxOverdueDays }))
  const { stageId, minOverdueDays: min, maxOverdueDays: max } = values
  if (values.status === 'enabled' && min !== null && ![min, max].some(Number.isNaN))
    others.push({ stageId, min, max })
  return boundsFault(others)?.join(', ') ?? null
}

function consequencesOf(values: Values, stage: Stage | null): string[] {
  const points: string[] = []
  if (
    stage !== null &&
    (stage.minOverdueDays !== values.minOverdueDays ||
      stage.maxOverdueDays !== (values.maxOverdueDays ?? null))
  )
    points.push('bounds')
  if (values.addressBookVisible && stage?.addressBookVisible !== true) points.push('addressBook')
  return points
}
