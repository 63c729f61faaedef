import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useEffect } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import {
  DayField,
  ManyField,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import type { SchemaForm } from '#client/ui/form/use-schema-form.ts'
import { addPerson, COLLECTOR_ROLES, editPerson } from '#shared/collection/setup-api.ts'
import type { collectionTree } from '#shared/collection/tree-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { isPassword } from '#shared/session/password-rule.ts'
import type { Person } from './setup-types.ts'
import type { Stage } from './setup-types.ts'

type Tree = DataOf<typeof collectionTree>
type Values = InputOf<typeof editPerson> & { account: string; password: string }
const NEW_OMIT = ['userId', 'version'] as const
const EDIT_OMIT = ['userId', 'version', 'account', 'password'] as const

export function PersonForm({
  person,
  tree,
  stages,
  onDone,
  onClose,
}: {
  person: Person | null
  tree: Tree | undefined
  stages: readonly Stage[]
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('collection')
  const add = useSend(addPerson, { quiet: true })
  const edit = useSend(editPerson, { quiet: true })
  const { form, frame } = useSaveForm<Values>({
    schema: person === null ? addPerson.input : editPerson.input,
    omit: person === null ? NEW_OMIT : EDIT_OMIT,
    values: {
      userId: person?.userId ?? '',
      version: person?.version ?? 1,
      account: '',
      password: '',
      name: person?.name ?? '',
      roleMark: (person?.roleMark as Values['roleMark'] | undefined) ?? 'collector',
      agencyId: person?.agencyId ?? '',
      departmentId: person?.departmentId ?? '',
      groupId: person?.groupId ?? '',
      stageIds: person?.stageIds ?? [],
      allocationFlag: person?.allocationFlag ?? true,
      addressBookVisible: person?.addressBookVisible ?? false,
      weight: person?.weight ?? 10,
      seatNumber: person?.seatNumber ?? '',
      certNo: person?.certNo ?? '',
      certExpiry: person?.certExpiry ?? '',
      capacity: person?.capacity ?? 150,
    },
    check: (values) =>
      person === null && !isPassword(values.password)
        ? { password: { key: 'collection:setup.fault.password', params: {} } }
        : null,
    onSubmit: (values) => (person === null ? add.mutateAsync(values) : edit.mutateAsync(values)),
    saved: t('setup.saved'),
    onDone,
    onClose,
  })
  return (
    <FormDrawer
      {...frame}
      width={540}
      title={person === null ? t('setup.addPerson') : t('setup.editUnit', { name: person.name })}
      submitText={t('setup.save')}
    >
      {person === null && (
        <TextField name="account" label={t('setup.col.account')} maxLength={32} />
      )}
      {person === null && (
        <TextField
          name="password"
          label={t('setup.password')}
          type="password"
          autoComplete="new-password"
          maxLength={20}
          help={t('setup.passwordHelp')}
        />
      )}
      <TextField name="name" label={t('setup.col.name')} maxLength={64} />
      <SelectField
        name="roleMark"
        label={t('setup.col.role')}
        options={COLLECTOR_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
      />
      <UnitFields form={form} tree={tree} />
      <ManyField
        name="stageIds"
        label={t('setup.col.stages')}
        options={stages
          .filter((stage) => stage.status === 'enabled')
          .map(({ stageId }) => ({ value: stageId, label: stageId }))}
      />
      <NumberField name="capacity" label={t('setup.col.capacity')} min={1} max={500} />
      <NumberField
        name="weight"
        label={t('setup.col.weight')}
        min={1}
        max={100}
        help={t('setup.weightHelp')}
      />
      <SwitchField
        name="allocationFlag"
        label={t('setup.col.allocationFlag')}
        text={t('setup.closedMeans')}
      />
      <TextField name="certNo" label={t('setup.col.certNo')} maxLength={40} />
      <DayField name="certExpiry" label={t('setup.col.certExpiry')} />
      <p className="collection-hint">{t('setup.certHint')}</p>
      <TextField name="seatNumber" label={t('setup.col.seatNumber')} maxLength={20} />
      <SwitchField
        name="addressBookVisible"
        label={t('setup.col.addressBookVisible')}
        text={t('setup.addressBookPersonHelp')}
      />
      {person !== null && <p className="collection-hint">{t('setup.unitHint')}</p>}
    </FormDrawer>
  )
}

/** Agency, department, group: a change above clears what no longer fits below. */
function UnitFields({
  form,
  tree,
}: {
  form: SchemaForm<Values>
  tree: Tree | undefined
}): ReactNode {
  const t = useText('collection')
  const { control, setValue } = form.form
  const [agencyId, departmentId, groupId] = useValue({
    control,
    name: ['agencyId', 'departmentId', 'groupId'],
  })
  const departments = (tree?.departments ?? []).filter((one) => one.agencyId === agencyId)
  const groups = (tree?.groups ?? []).filter((one) => one.departmentId === departmentId)
  const departmentFits =
    tree === undefined || departmentId === '' || departments.some((one) => one.id === departmentId)
  const groupFits =
    tree === undefined ||
    groupId === '' ||
    (departmentFits && groups.some((one) => one.id === groupId))
  useEffect(() => {
    if (!departmentFits) setValue('departmentId', '')
    if (!groupFits) setValue('groupId', '')
  }, [departmentFits, groupFits, setValue])
  return (
    <>
      <SelectField
        name="agencyId"
        label={t('setup.col.agencyName')}
        options={(tree?.agencies ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        name="departmentId"
        label={t('setup.col.departmentName')}
        options={departments.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        name="groupId"
        label={t('setup.col.groupName')}
        options={groups.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </>
  )
}
