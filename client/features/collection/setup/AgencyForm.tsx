import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import {
  DayField,
  type Option,
  SelectField,
  SwitchField,
  TextField,
} from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { addAgency, editAgency, officerOptions } from '#shared/collection/setup-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { Agency } from './setup-types.ts'

/** Users who may lead a unit, by name and account. */
export function useOfficers(): Option[] {
  const { data } = useQuery({ ...queryOf(officerOptions, {}, { quiet: true }), staleTime: 60_000 })
  return (data ?? []).map(({ userId, userName, account }) => ({
    value: userId,
    label: `${userName} (${account})`,
  }))
}

const NEW_OMIT = ['agencyId', 'version'] as const
const EDIT_OMIT = ['agencyId', 'version'] as const

export function AgencyForm({
  agency,
  onDone,
  onClose,
}: {
  agency: Agency | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('collection')
  const officers = useOfficers()
  const add = useSend(addAgency, { quiet: true })
  const edit = useSend(editAgency, { quiet: true })
  const { frame } = useSaveForm<InputOf<typeof editAgency>>({
    schema: agency === null ? addAgency.input : editAgency.input,
    omit: agency === null ? NEW_OMIT : EDIT_OMIT,
    values: {
      agencyId: agency?.agencyId ?? '',
      version: agency?.version ?? 1,
      name: agency?.name ?? '',
      officerId: agency?.officerId ?? '',
      officerPhone: '',
      inHouse: agency?.inHouse ?? false,
      termEnd: agency?.termEnd ?? null,
    },
    onSubmit: ({ agencyId, version, ...fields }) =>
      agency === null
        ? add.mutateAsync(fields)
        : edit.mutateAsync({ agencyId, version, ...fields }),
    saved: t('setup.saved'),
    onDone,
    onClose,
  })
  return (
    <FormDrawer
      {...frame}
      title={agency === null ? t('setup.addAgency') : t('setup.editUnit', { name: agency.name })}
      submitText={t('setup.save')}
    >
      <TextField name="name" label={t('setup.col.agencyName')} maxLength={50} />
      <SelectField name="officerId" label={t('setup.col.officer')} options={officers} />
      <TextField
        name="officerPhone"
        label={t('setup.col.officerPhone')}
        type="tel"
        maxLength={10}
        help={
          agency?.officerPhone
            ? t('setup.phoneKept', { phone: agency.officerPhone })
            : t('setup.phoneHelp')
        }
      />
      <SwitchField name="inHouse" label={t('setup.col.inHouse')} text={t('setup.inHouseHelp')} />
      <DayField name="termEnd" label={t('setup.col.termEnd')} help={t('setup.termEndHelp')} />
      {agency === null && <p className="collection-hint">{t('setup.newAgencyHint')}</p>}
    </FormDrawer>
  )
}
