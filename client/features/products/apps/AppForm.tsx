import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { SelectField, SwitchField, TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { compareVersions } from '#shared/products/app-version.ts'
import { addApp, appForm, editApp, newAppForm } from '#shared/products/apps-api.ts'
import { PRODUCT_STATUSES } from '#shared/products/products-api.ts'
import { WithRead } from '../WithRead.tsx'
import type { App } from './app-types.ts'

type Values = InputOf<typeof editApp>
type Model = DataOf<typeof appForm>
interface Closing {
  onDone: () => void
  onClose: () => void
}

const OMIT = ['appId', 'version'] as const
const TEXTS = ['name', 'code', 'package', 'appVersion', 'minVersion'] as const

export function AppForm({ app, ...rest }: Closing & { app: App | null }): ReactNode {
  const t = useText('products')
  if (app === null)
    return (
      <WithRead read={newAppForm} input={{}} title={t('app.add')} onClose={rest.onClose}>
        {(model) => <Fields title={t('app.add')} model={model} isNew {...rest} />}
      </WithRead>
    )
  const title = t('editTitle', { name: app.name })
  return (
    <WithRead read={appForm} input={{ appId: app.appId }} title={title} onClose={rest.onClose}>
      {(model) => <Fields title={title} model={model} {...rest} />}
    </WithRead>
  )
}

function Fields({
  title,
  model: { values, groups, merchants },
  isNew = false,
  onDone,
  onClose,
}: Closing & { title: string; model: Model; isNew?: boolean }): ReactNode {
  const t = useText('products')
  const add = useSend(addApp, { quiet: true })
  const edit = useSend(editApp, { quiet: true })
  const { form, frame } = useSaveForm<Values>({
    schema: isNew ? addApp.input : editApp.input,
    omit: OMIT,
    values: {
      ...values,
      groupId: values.groupId ?? '',
      merchantId: values.merchantId ?? '',
      storeUrl: values.storeUrl ?? '',
      privacyUrl: values.privacyUrl ?? '',
      servicePhone: values.servicePhone ?? '',
    },
    check: ({ appVersion, minVersion, forceUpdate, storeUrl }) => ({
      ...(compareVersions(minVersion, appVersion) > 0
        ? { minVersion: { key: 'products:app.fault.minVersion', params: {} } }
        : {}),
      ...(forceUpdate && !storeUrl
        ? { storeUrl: { key: 'products:app.fault.noStore', params: {} } }
        : {}),
    }),
    onSubmit: ({ appId, version, ...fields }) =>
      isNew ? add.mutateAsync(fields) : edit.mutateAsync({ appId, version, ...fields }),
    saved: t('app.saved'),
    onDone,
    onClose,
  })
  const { getValues } = form.form
  // what this save turns on or off, as it is when the question is asked; another version under a
  // forced update sends every installation to the store again
  const forces = () =>
    getValues('forceUpdate') &&
    (!values.forceUpdate || getValues('appVersion') !== values.appVersion)
  const closes = () => !isNew && values.status === 'enabled' && getValues('status') === 'disabled'
  const [shown, confirming] = useSubmitQuestion(form, () => forces() || closes())
  const name = getValues('name')
  const label = (field: string) => t(`app.col.${field}`)
  const nameIn = (rows: Model['groups']) => (id: unknown) =>
    rows.find((row) => row.id === id)?.name ?? String(id ?? '')
  const choices = (rows: Model['groups']) => rows.map((row) => ({ value: row.id, label: row.name }))
  return (
    <FormDrawer {...frame} width={520} title={title} form={shown} submitText={t('save')}>
      <ConflictPane
        form={form}
        fields={[
          ...TEXTS.map((field) => ({ name: field, label: label(field) })),
          { name: 'groupId', label: label('groupName'), text: nameIn(groups) },
          { name: 'merchantId', label: label('merchantName'), text: nameIn(merchants) },
          {
            name: 'forceUpdate',
            label: label('forceUpdate'),
            text: (on) => t(on ? 'ui:yes' : 'ui:no'),
          },
          { name: 'storeUrl', label: label('storeUrl') },
          { name: 'privacyUrl', label: label('privacyUrl') },
          { name: 'servicePhone', label: label('servicePhone') },
          {
            name: 'status',
            label: label('status'),
            text: (status) => t(`status.${String(status)}`),
          },
        ]}
      />
      <TextField name="name" label={label('name')} maxLength={60} />
      <TextField name="code" label={label('code')} maxLength={30} />
      <SelectField name="groupId" label={label('groupName')} options={choices(groups)} />
      <SelectField
        name="merchantId"
        label={label('merchantName')}
        help={t('app.merchantHelp')}
        options={choices(merchants)}
      />
      <TextField name="package" label={label('package')} maxLength={120} />
      <TextField name="appVersion" label={label('appVersion')} maxLength={23} />
      <TextField
        name="minVersion"
        label={label('minVersion')}
        help={t('app.minVersionHelp')}
        maxLength={23}
      />
      <SwitchField
        name="forceUpdate"
        label={label('forceUpdate')}
        text={t('app.forceUpdateHelp')}
      />
      <TextField name="storeUrl" label={label('storeUrl')} maxLength={300} />
      <TextField name="privacyUrl" label={label('privacyUrl')} maxLength={300} />
      <TextField name="servicePhone" label={label('servicePhone')} type="tel" maxLength={16} />
      <SelectField
        name="status"
        label={label('status')}
        options={PRODUCT_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
      />
      <ConfirmAction
        {...confirming}
        intent="warning"
        title={forces() ? t('app.ask.force', { name }) : t('app.ask.off', { name })}
        confirmText={t('save')}
      >
        {forces() && <p>{t('app.ask.forceMeans', { version: getValues('appVersion') })}</p>}
        {closes() && <p>{t('app.ask.offMeans')}</p>}
      </ConfirmAction>
    </FormDrawer>
  )
}
