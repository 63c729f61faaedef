import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { LANGUAGE_NAMES, LANGUAGES } from '#shared/kernel/languages.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { type BoardRow, editBoard } from '#shared/wall/wall-api.ts'
import { WALL_PROFILES, WALL_SCENES, WALL_THEMES } from '#shared/wall/wall-sets.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import {
  ClockField,
  ManyField,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'

type Values = InputOf<typeof editBoard>
const OMIT = ['boardId', 'version'] as const

/** Settings of a screen; the screen follows when the form closes. */
export function ScreenForm({
  screen,
  onDone,
  onClose,
}: {
  screen: BoardRow
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('wall')
  const send = useSend(editBoard, { quiet: true })
  const { frame } = useSaveForm<Values>({
    schema: editBoard.input,
    omit: OMIT,
    values: {
      boardId: screen.boardId,
      version: screen.version,
      name: screen.name,
      ...screen.settings,
    },
    alsoRequired: ({ sleepFrom, sleepTo }) => [
      ...(sleepTo ? (['sleepFrom'] as const) : []),
      ...(sleepFrom ? (['sleepTo'] as const) : []),
    ],
    check: ({ scenes, sleepFrom, sleepTo }) => ({
      ...(scenes.length === 0 && { scenes: { key: 'wall:form.scenesNeeded', params: {} } }),
      ...(sleepFrom &&
        sleepFrom === sleepTo && { sleepTo: { key: 'wall:form.sleepSame', params: {} } }),
    }),
    // stored in a fixed order, whatever was ticked first; the wall varies it itself
    onSubmit: (input) =>
      send.mutateAsync({
        ...input,
        scenes: WALL_SCENES.filter((scene) => input.scenes.includes(scene)),
        language: input.language ?? null,
      }),
    saved: t('form.saved'),
    onDone,
    onClose,
  })
  return (
    <FormDrawer {...frame} title={t('form.edit')} submitText={t('form.save')}>
      <TextField name="name" label={t('form.name')} maxLength={40} />
      <ManyField
        name="scenes"
        label={t('form.scenes')}
        options={WALL_SCENES.map((scene) => ({ value: scene, label: t(`scene.${scene}`) }))}
      />
      <NumberField name="rotateSec" label={t('form.rotateSec')} min={5} max={600} />
      <SelectField
        name="profile"
        label={t('form.profile')}
        options={WALL_PROFILES.map((profile) => ({
          value: profile,
          label: t(`profile.${profile}`),
        }))}
      />
      <SelectField
        name="theme"
        label={t('form.theme')}
        options={WALL_THEMES.map((theme) => ({ value: theme, label: t(`theme.${theme}`) }))}
      />
      <SelectField
        name="language"
        label={t('form.language')}
        placeholder={t('form.asBrowser')}
        options={LANGUAGES.map((language) => ({
          value: language,
          label: LANGUAGE_NAMES[language],
        }))}
      />
      <ClockField name="sleepFrom" label={t('form.sleepFrom')} help={t('form.sleepHelp')} />
      <ClockField name="sleepTo" label={t('form.sleepTo')} />
      <SwitchField name="people" label={t('form.people')} text={t('form.peopleText')} />
    </FormDrawer>
  )
}
