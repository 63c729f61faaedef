import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { collectionTree } from '#shared/collection/tree-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'

type Tree = DataOf<typeof collectionTree>

/** From the widest to the narrowest. */
export const UNITS = ['agencyId', 'departmentId', 'groupId'] as const
type UnitName = (typeof UNITS)[number]
export type DutyUnit = Readonly<Record<UnitName, string | undefined>>

/** Chooses the unit whose weeks are shown; a new parent unit clears the choices below it. */
export function DutyUnits({
  tree,
  unit,
  groups,
  onChange,
}: {
  tree: Tree | undefined
  unit: DutyUnit
  /** Those inside of the chosen units above. */
  groups: Tree['groups']
  onChange: (unit: DutyUnit) => void
}): ReactNode {
  const t = useText('collection')
  const departments = (tree?.departments ?? []).filter(
    (department) => unit.agencyId === undefined || department.agencyId === unit.agencyId,
  )
  const narrow = (name: UnitName, value: string) => {
    const below = UNITS.slice(UNITS.indexOf(name) + 1).map((one) => [one, undefined])
    onChange({ ...unit, ...Object.fromEntries(below), [name]: value || undefined })
  }
  return (
    <>
      <Choice
        label={t('setup.col.agencyName')}
        value={unit.agencyId ?? ''}
        options={tree?.agencies ?? []}
        onChange={(value) => narrow('agencyId', value)}
      />
      <Choice
        label={t('setup.col.departmentName')}
        value={unit.departmentId ?? ''}
        options={departments}
        onChange={(value) => narrow('departmentId', value)}
      />
      <Choice
        label={t('setup.col.groupName')}
        value={unit.groupId ?? ''}
        options={groups}
        onChange={(value) => narrow('groupId', value)}
      />
    </>
  )
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly { id: string; name: string }[]
  onChange: (value: string) => void
}): ReactNode {
  return (
    <span className="bp6-html-select field-select">
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{label}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <span className="field-caret" aria-hidden="true" />
    </span>
  )
}
