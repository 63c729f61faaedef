import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { addDepartment, addGroup, editDepartment, editGroup } from '#shared/collection/setup-api.ts'
import type { collectionTree } from '#shared/collection/tree-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { Unit } from './setup-types.ts'
import { useOfficers } from './AgencyForm.tsx'

interface Values {
  id: string
  version: number
  name: string
  officerId: string
  agencyId: string
  departmentId: string
}
const OMIT = ['id', 'version'] as const

/** A department of an agency, or a group of a department. */
export function UnitForm({
  kind,
  unit,
  tree,
  onDone,
  onClose,
}: {
  kind: 'department' | 'group'
  unit: Unit | null
  tree: DataOf<typeof collectionTree> | undefined
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('collection')
  const officers = useOfficers()
  const isGroup = kind === 'group'
  const group = useSend(addGroup, { quiet: true })
  const department = useSend(addDepartment, { quiet: true })
  const edit = useSend(isGroup ? editGroup : editDepartment, { quiet: true })
  const { frame } = useSaveForm<Values>({
    schema: unit !== null ? editGroup.input : isGroup ? addGroup.input : addDepartment.input,
    omit: OMIT,
    values: {
      id: unit?.id ?? '',
      version: unit?.version ?? 1,
      name: unit?.name ?? '',
      officerId: unit?.officerId ?? '',
      agencyId: '',
      departmentId: '',
    },
    // the form sends the fields that the schema of its call names
    async onSubmit(values): Promise<unknown> {
      if (unit !== null) return edit.mutateAsync(values)
      return isGroup ? group.mutateAsync(values) : department.mutateAsync(values)
    },
    saved: t('setup.saved'),
    onDone,
    onClose,
  })
  const agencyOf = (id: string) => tree?.agencies.find((agency) => agency.id === id)?.name ?? ''
  return (
    <FormDrawer
      {...frame}
      title={unit === null ? t(`setup.add.${kind}`) : t('setup.editUnit', { name: unit.name })}
      submitText={t('setup.save')}
    >
      <TextField name="name" label={t('setup.col.unitName')} maxLength={50} />
      <SelectField name="officerId" label={t('setup.col.officer')} options={officers} />
      {unit === null && !isGroup && (
        <SelectField
          name="agencyId"
          label={t('setup.col.agencyName')}
          options={(tree?.agencies ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {unit === null && isGroup && (
        <SelectField
          name="departmentId"
          label={t('setup.col.departmentName')}
          options={(tree?.departments ?? []).map(({ id, name, agencyId }) => ({
            value: id,
            label: `${agencyOf(agencyId)} · ${name}`,
          }))}
        />
      )}
    </FormDrawer>
  )
}
