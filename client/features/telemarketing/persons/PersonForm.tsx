import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useRowForm } from '#client/screen/use-row-form.ts'
import { ManyField, NumberField, SelectField, SwitchField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { addPerson, editPerson } from '#shared/telemarketing/person-api.ts'
import { SEGMENTS } from '#shared/telemarketing/tele-sets.ts'
import type { PersonOptions, TelePerson } from './person-types.ts'

const NEW_OMIT = ['version'] as const
const EDIT_OMIT = ['userId', 'version'] as const
/** A day's work. */
const USUAL_CAPACITY = 100

/** An account becomes a telemarketer, or what they work on is changed. */
export function PersonForm({
  person,
  accounts,
  onDone,
  onClose,
}: {
  person: TelePerson | null
  accounts: PersonOptions['accounts']
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('telemarketing')
  const { frame } = useRowForm({
    row: person,
    add: addPerson,
    edit: editPerson,
    omit: person === null ? NEW_OMIT : EDIT_OMIT,
    values: {
      userId: person?.userId ?? '',
      version: person?.version ?? 1,
      segments: person?.segments ?? [],
      capacity: person?.capacity ?? USUAL_CAPACITY,
      allocationFlag: person?.allocationFlag ?? true,
    },
    saved: t('person.saved'),
    onDone,
    onClose,
  })
  return (
    <FormDrawer
      {...frame}
      title={person === null ? t('person.add') : t('person.edit', { name: person.name })}
    >
      {person === null && (
        <SelectField
          name="userId"
          label={t('person.col.account')}
          options={accounts.map(({ userId, userName, account }) => ({
            value: userId,
            label: `${userName} (${account})`,
          }))}
        />
      )}
      <ManyField
        name="segments"
        label={t('person.col.segments')}
        options={SEGMENTS.map((value) => ({ value, label: t(`menu.${value}`) }))}
      />
      <NumberField
        name="capacity"
        label={t('person.col.capacity')}
        min={1}
        max={500}
        help={t('person.capacityMeans')}
      />
      <SwitchField
        name="allocationFlag"
        label={t('person.col.allocationFlag')}
        text={t('person.closedMeans')}
      />
    </FormDrawer>
  )
}
