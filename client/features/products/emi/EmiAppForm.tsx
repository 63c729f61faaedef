import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { compareVersions } from '#shared/products/app-version.ts'
import { EmiInfo, saveEmiInfo } from '#shared/products/emi-api.ts'
import type { EmiInfoRow } from './emi-types.ts'

type Values = InputOf<typeof saveEmiInfo>['value'] & { version: number }

const FIELDS = [
  { name: 'name', maxLength: 60 },
  { name: 'package', maxLength: 120 },
  { name: 'appVersion', maxLength: 23 },
  { name: 'minVersion', maxLength: 23 },
  { name: 'storeUrl', maxLength: 300 },
  { name: 'privacyUrl', maxLength: 300 },
  { name: 'servicePhone', maxLength: 16 },
] as const

export function EmiAppForm({
  row,
  onDone,
  onClose,
}: {
  row: EmiInfoRow
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('products')
  const { reason: offline } = useConnection()
  const save = useSend(saveEmiInfo, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: EmiInfo,
    values: {
      version: row.version,
      name: row.name ?? row.appName,
      package: row.package ?? '',
      appVersion: row.appVersion ?? '1.0.0',
      minVersion: row.minVersion ?? '1.0.0',
      storeUrl: row.storeUrl ?? '',
      privacyUrl: row.privacyUrl ?? '',
      servicePhone: row.servicePhone ?? '',
    },
    check: ({ appVersion, minVersion }) =>
      compareVersions(minVersion, appVersion) > 0
        ? { minVersion: { key: 'products:app.fault.minVersion', params: {} } }
        : null,
    // the version is not a field of the form
    async onSubmit(value): Promise<unknown> {
      return save.mutateAsync({
        appId: row.appId,
        version: form.form.getValues('version'),
        value,
      })
    },
    onDone: () => {
      void showMessage({ intent: 'success', message: t('emi.saved'), key: 'emi' })
      onDone()
      onClose()
    },
  })
  const [shown, confirming] = useSubmitQuestion(form)
  const label = (name: string) => (name === 'name' ? t('emi.col.name') : t(`app.col.${name}`))
  return (
    <FormDrawer
      isOpen
      width={520}
      title={t('emi.appTitle', { name: row.appName })}
      form={shown}
      submitText={t('save')}
      submitRefused={offline}
      onClose={onClose}
    >
      <ConflictPane form={form} fields={FIELDS.map(({ name }) => ({ name, label: label(name) }))} />
      {FIELDS.map(({ name, maxLength }) => (
        <TextField
          key={name}
          name={name}
          label={label(name)}
          maxLength={maxLength}
          {...(name === 'servicePhone' && { type: 'tel' })}
        />
      ))}
      <ConfirmAction
        {...confirming}
        intent="primary"
        title={t('emi.ask.info', { name: row.appName })}
        confirmText={t('save')}
      >
        <p>{t('emi.ask.infoMeans')}</p>
      </ConfirmAction>
    </FormDrawer>
  )
}
