/**
 * Assigns cases of a stage to a person by hand: the keyboard's way to do what a drop does. The plan
 * is made at once; the cases move when the plan runs.
 */
import { type Text, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { NumberField, SelectField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { CasesPick, StagePick } from '#shared/collection/allocation-api.ts'
import type { Desk } from './allocation-tree.ts'
import type { CasesHandPick, ChosenCases, StageHandPick } from './use-allocation-plan.ts'

interface AssignFormProps {
  desk: Desk
  collectorId: string
  stageId: string | undefined
  onPick: (pick: StageHandPick) => Promise<void>
  onClose: () => void
}

export function AssignForm({
  desk,
  collectorId,
  stageId,
  onPick,
  onClose,
}: AssignFormProps): ReactNode {
  const t = useText('collection')
  const lineOf = (id: string) => desk.lines.find((line) => line.collectorId === id)
  const stages = desk.pool.filter(
    (stage) => stage.cases > 0 && stage.allocationState === 'allocated',
  )
  const first =
    stages.find((stage) => stage.stageId === stageId) ??
    stages.find((stage) => lineOf(collectorId)?.stageIds.includes(stage.stageId))
  const room = Math.max(0, (lineOf(collectorId)?.capacity ?? 0) - (lineOf(collectorId)?.now ?? 0))
  const form = useSchemaForm<StageHandPick>({
    schema: StagePick,
    values: {
      stageId: first?.stageId ?? '',
      collectorId,
      count: Math.max(1, Math.min(first?.cases ?? 1, room)),
    },
    check: (values) => {
      const cases = stages.find((stage) => stage.stageId === values.stageId)?.cases ?? 0
      return {
        ...(lineOf(values.collectorId)?.stageIds.includes(values.stageId) === false
          ? {
              collectorId: {
                key: 'collection:alloc.notHisStage',
                params: { stage: values.stageId },
              },
            }
          : {}),
        ...((values.count ?? 0) > cases
          ? { count: { key: 'collection:alloc.onlySo', params: { cases } } }
          : {}),
      }
    },
    onSubmit: onPick,
    onDone: onClose,
  })
  return (
    <FormDialog
      isOpen
      title={t('alloc.assign')}
      form={form}
      submitText={t('alloc.preview')}
      onClose={onClose}
    >
      <SelectField
        name="stageId"
        label={t('desk.col.stageId')}
        options={stages.map((stage) => ({
          value: stage.stageId,
          label: t('alloc.stageOf', { stage: stage.stageId, cases: stage.cases }),
        }))}
      />
      <NumberField name="count" label={t('change.col.count')} min={1} max={5000} />
      <SelectField
        name="collectorId"
        label={t('desk.col.collectorName')}
        options={peopleOf(desk, t)}
      />
      <p className="collection-hint">{t('alloc.assignHint')}</p>
    </FormDialog>
  )
}

interface AssignCasesFormProps {
  desk: Desk
  chosen: ChosenCases
  /** Empty: the form asks for it. */
  collectorId: string
  onPick: (pick: CasesHandPick) => Promise<void>
  onClose: () => void
}

/** The same for cases chosen in the pool's list. */
export function AssignCasesForm({
  desk,
  chosen,
  collectorId,
  onPick,
  onClose,
}: AssignCasesFormProps): ReactNode {
  const t = useText('collection')
  const { caseIds, stageIds } = chosen
  const form = useSchemaForm<{ caseIds: string[]; collectorId: string }>({
    schema: CasesPick,
    omit: ['caseIds'],
    values: { caseIds: [...caseIds], collectorId },
    check: (values) => {
      const line = desk.lines.find((one) => one.collectorId === values.collectorId)
      const missing = stageIds.filter((stageId) => line?.stageIds.includes(stageId) === false)
      return missing.length > 0
        ? {
            collectorId: {
              key: 'collection:alloc.notHisStage',
              params: { stage: missing.join(', ') },
            },
          }
        : null
    },
    onSubmit: (values) => onPick({ caseIds, stageIds, collectorId: values.collectorId }),
    onDone: onClose,
  })
  return (
    <FormDialog
      isOpen
      title={t('alloc.assign')}
      form={form}
      submitText={t('alloc.preview')}
      onClose={onClose}
    >
      <p>{t('alloc.chosenOf', { n: caseIds.length, stages: stageIds.join(', ') })}</p>
      <SelectField
        name="collectorId"
        label={t('desk.col.collectorName')}
        options={peopleOf(desk, t)}
      />
      <p className="collection-hint">{t('alloc.assignHint')}</p>
    </FormDialog>
  )
}

/** People on duty first. */
function peopleOf(desk: Desk, t: Text): { value: string; label: string }[] {
  const people = desk.lines.toSorted(
    (a, b) => Number(b.onDuty) - Number(a.onDuty) || a.collectorName.localeCompare(b.collectorName),
  )
  return people.map((line) => ({
    value: line.collectorId,
    label: t(line.onDuty ? 'alloc.person' : 'alloc.personAway', {
      name: line.collectorName,
      group: line.groupName ?? line.agencyName,
      cases: line.now,
    }),
  }))
}
