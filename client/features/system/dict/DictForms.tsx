import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { useRowForm } from '#client/screen/use-row-form.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { ManyField, NumberField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog, FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import Type from 'typebox'
import { Id, type InputOf, OneOf, Version } from '#shared/kernel/endpoint.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '#shared/kernel/languages.ts'
import { CODE_TABLE_NAMES } from '#shared/system/code-tables.ts'
import {
  addDict,
  addDictDetail,
  DETAIL_STATES,
  GENERATE_MODES,
  generateDict,
  updateDict,
  updateDictDetail,
} from '#shared/system/dict-api.ts'
import { dictName } from './dict-name.ts'
import type { Dict, Entry } from './dict-types.ts'

interface Done {
  onDone: () => void
  onClose: () => void
}

export function TypeForm({ dict, onDone, onClose }: { dict: Dict | null } & Done): ReactNode {
  const t = useText('system')
  const { form, frame } = useRowForm({
    row: dict,
    add: addDict,
    edit: updateDict,
    omit: dict === null ? NEW_TYPE : OLD_TYPE,
    values: {
      dictId: dict?.dictId ?? '',
      version: dict?.version ?? 1,
      typeName: dict?.typeName ?? '',
      code: dict?.code ?? '',
      sort: dict?.sort ?? 0,
    },
    saved: t('saved'),
    onDone,
    onClose,
  })
  return (
    <FormDialog
      {...frame}
      title={dict === null ? t('dict.addType') : t('dict.editType', { name: dictName(t, dict) })}
    >
      <ConflictPane
        form={form}
        fields={[
          { name: 'typeName', label: t('dict.col.typeName') },
          { name: 'sort', label: t('dict.col.sort') },
        ]}
      />
      {!dict?.builtIn && (
        <TextField name="typeName" label={t('dict.col.typeName')} maxLength={50} />
      )}
      {dict === null && <TextField name="code" label={t('dict.col.code')} maxLength={60} />}
      <NumberField name="sort" label={t('dict.col.sort')} min={0} max={9999} />
    </FormDialog>
  )
}
const NEW_TYPE = ['dictId', 'version'] as const
const OLD_TYPE = ['dictId', 'version', 'code'] as const

/** The form has a field per language; the call takes them as one object. */
const entryFields = {
  en: Type.String({ minLength: 1, maxLength: 200 }),
  zh: Type.Optional(Type.String({ maxLength: 200 })),
  es: Type.Optional(Type.String({ maxLength: 200 })),
  ja: Type.Optional(Type.String({ maxLength: 200 })),
  vi: Type.Optional(Type.String({ maxLength: 200 })),
  id: Type.Optional(Type.String({ maxLength: 200 })),
  th: Type.Optional(Type.String({ maxLength: 200 })),
  sort: Type.Integer({ minimum: 0, maximum: 9999 }),
  state: OneOf(DETAIL_STATES),
}
const NEW_ENTRY = Type.Object({ code: addDictDetail.input.properties.code, ...entryFields })
const OLD_ENTRY = Type.Object({ detailId: Id(), version: Version(), ...entryFields })
interface EntryValues extends Record<(typeof LANGUAGES)[number], string> {
  detailId: string
  version: number
  code: string
  sort: number
  state: Entry['state']
}

export function EntryForm({
  dict,
  entry,
  onDone,
  onClose,
}: { dict: Dict; entry: Entry | null } & Done): ReactNode {
  const t = useText('system')
  const { reason: offline } = useConnection()
  const add = useSend(addDictDetail, { quiet: true })
  const edit = useSend(updateDictDetail, { quiet: true })
  const word = (language: (typeof LANGUAGES)[number]) => entry?.labels[language] ?? ''
  const form = useSchemaForm<EntryValues>({
    schema: entry === null ? NEW_ENTRY : OLD_ENTRY,
    omit: OLD_ENTRY_OMIT,
    values: {
      detailId: entry?.detailId ?? '',
      version: entry?.version ?? 1,
      code: entry?.code ?? '',
      en: word('en'),
      zh: word('zh'),
      es: word('es'),
      ja: word('ja'),
      vi: word('vi'),
      id: word('id'),
      th: word('th'),
      sort: entry?.sort ?? 0,
      state: entry?.state ?? 'enabled',
    },
    onSubmit: (values) => {
      const { detailId, version, code, sort, state, ...words } = values
      const labels = {
        en: words.en,
        ...Object.fromEntries(Object.entries(words).filter(([, text]) => text?.trim())),
      }
      return entry === null
        ? add.mutateAsync({ parentId: dict.dictId, code, labels, sort, state })
        : edit.mutateAsync({ detailId, version, labels, sort, state })
    },
    onDone: () => done(t('saved'), onDone, onClose),
  })
  return (
    <FormDrawer
      isOpen
      width={520}
      title={
        entry === null
          ? t('dict.addEntryTo', { name: dictName(t, dict) })
          : t('dict.editEntry', { code: entry.code })
      }
      form={form}
      submitRefused={offline}
      onClose={onClose}
    >
      <ConflictPane
        form={form}
        fields={[
          { name: 'sort', label: t('dict.col.sort') },
          {
            name: 'state',
            label: t('dict.col.state'),
            text: (state) => t(`state.${String(state)}`),
          },
        ]}
      />
      {entry === null && <TextField name="code" label={t('dict.col.code')} maxLength={60} />}
      {LANGUAGES.map((language) => (
        <TextField
          key={language}
          name={language}
          label={LANGUAGE_NAMES[language]}
          maxLength={200}
        />
      ))}
      <NumberField name="sort" label={t('dict.col.sort')} min={0} max={9999} />
      <SelectField
        name="state"
        label={t('dict.col.state')}
        disabled={entry?.builtIn ?? false}
        options={DETAIL_STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
      />
    </FormDrawer>
  )
}
const OLD_ENTRY_OMIT = ['detailId', 'version'] as const

export function GenerateForm({ onDone, onClose }: Done): ReactNode {
  const t = useText('system')
  const { reason: offline } = useConnection()
  const send = useSend(generateDict, { quiet: true })
  const form = useSchemaForm<InputOf<typeof generateDict>>({
    schema: generateDict.input,
    values: { typeCodes: [], mode: 'missing' },
    onSubmit: async (values) => {
      const { added, updated } = await send.mutateAsync(values)
      void showMessage({
        intent: 'success',
        message: t('dict.generated', { added, updated }),
        key: 'system',
      })
    },
    onDone: () => {
      onDone()
      onClose()
    },
  })
  const mode = form.form.watch('mode')
  return (
    <FormDrawer
      isOpen
      width={520}
      title={t('dict.generate')}
      form={form}
      submitText={t(mode === 'overwrite' ? 'dict.generateOver' : 'dict.generate')}
      intent={mode === 'overwrite' ? 'danger' : 'primary'}
      submitRefused={offline}
      onClose={onClose}
    >
      <p className="system-hint">{t('dict.generateMeans')}</p>
      <SelectField
        name="mode"
        label={t('dict.mode')}
        options={GENERATE_MODES.map((value) => ({ value, label: t(`dict.modes.${value}`) }))}
        {...(mode === 'overwrite' ? { help: t('dict.overwriteMeans') } : {})}
      />
      <ManyField
        name="typeCodes"
        label={t('dict.tables')}
        options={Object.keys(CODE_TABLE_NAMES).map((value) => ({
          value,
          label: `${t(`dict.table.${value}`)} (${value})`,
        }))}
      />
    </FormDrawer>
  )
}

function done(message: string, onDone: () => void, onClose: () => void): void {
  void showMessage({ intent: 'success', message, key: 'system' })
  onDone()
  onClose()
}
