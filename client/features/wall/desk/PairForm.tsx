import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { chooseLanguage, LANGUAGE_NAMES, LANGUAGES } from '#shared/kernel/languages.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { approvePairing } from '#shared/wall/wall-api.ts'
import { WALL_PROFILES } from '#shared/wall/wall-sets.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { STAGES } from '#client/ui/value/StatusTag.tsx'

type Values = InputOf<typeof approvePairing>

/** Accepts the code in small letters and with spaces. */
export function PairForm({
  code,
  agencies,
  onDone,
  onClose,
}: {
  code: string
  agencies: readonly { id: string; name: string }[]
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('wall')
  const send = useSend(approvePairing, { quiet: true })
  const { frame } = useSaveForm<Values>({
    schema: {
      ...approvePairing.input,
      properties: {
        ...approvePairing.input.properties,
        code: {
          ...approvePairing.input.properties.code,
          pattern: TYPED_CODE,
          minLength: 6,
          maxLength: 13,
        },
      },
    } as typeof approvePairing.input,
    values: {
      code,
      name: '',
      profile: 'mid',
      language: chooseLanguage(document.documentElement.lang),
    },
    onSubmit: (input) =>
      send.mutateAsync({ ...input, code: input.code.replaceAll(/[\s-]/g, '').toUpperCase() }),
    saved: ({ name }) => t('form.paired', { name }),
    onDone,
    onClose,
  })
  return (
    <FormDrawer {...frame} title={t('desk.pair')} submitText={t('form.pairSubmit')}>
      <TextField name="code" label={t('form.code')} help={t('form.codeHelp')} maxLength={13} />
      <TextField name="name" label={t('form.name')} maxLength={40} />
      {agencies.length > 0 ? (
        <SelectField
          name="agencyId"
          label={t('desk.agency')}
          placeholder={t('desk.wholeCompany')}
          options={agencies.map((agency) => ({ value: agency.id, label: agency.name }))}
        />
      ) : null}
      <SelectField
        name="stageId"
        label={t('desk.stage')}
        placeholder={t('desk.allStages')}
        options={STAGES.map((stage) => ({ value: stage, label: stage }))}
      />
      <SelectField
        name="profile"
        label={t('form.profile')}
        options={WALL_PROFILES.map((profile) => ({
          value: profile,
          label: t(`profile.${profile}`),
        }))}
      />
      <SelectField
        name="language"
        label={t('form.language')}
        options={LANGUAGES.map((language) => ({
          value: language,
          label: LANGUAGE_NAMES[language],
        }))}
      />
    </FormDrawer>
  )
}

const TYPED_CODE = '^(?:[A-Za-z0-9][\\s-]*){6}$'
