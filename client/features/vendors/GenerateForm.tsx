import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { SelectField, SwitchField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { generateServices, listServiceApps } from '#shared/vendors/vendors-api.ts'

type Apps = DataOf<typeof listServiceApps>

/** Copies the services of one app to another; how many each has is read as the form opens. */
export function GenerateForm({
  onDone,
  onClose,
}: {
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('vendors')
  const { reason: offline } = useConnection()
  const found = useQuery({ ...queryOf(listServiceApps, {}, { quiet: true }), staleTime: 0 })
  const apps = found.data ?? []
  const send = useSend(generateServices, { quiet: true })
  const form = useSchemaForm<InputOf<typeof generateServices>>({
    schema: generateServices.input,
    values: { fromAppId: '', toAppId: '', overwrite: false },
    check: ({ fromAppId, toAppId }) =>
      fromAppId !== '' && fromAppId === toAppId
        ? { toAppId: { key: 'vendors:fault.sameApp', params: {} } }
        : null,
    onSubmit: async (values) => {
      const { added, skipped } = await send.mutateAsync(values)
      void showMessage({
        intent: 'success',
        message: t('generated', { added, skipped }),
        key: 'vendors',
      })
    },
    onDone: () => {
      onDone()
      onClose()
    },
  })
  const { getValues } = form.form
  const [shown, confirming] = useSubmitQuestion(form, () => getValues('overwrite') === true)
  const choices = (rows: Apps) =>
    rows.map(({ appId, name, services }) => ({
      value: appId,
      label: t('appServices', { name, count: services }),
    }))
  return (
    <FormDialog
      isOpen
      title={t('action.generate')}
      form={shown}
      submitText={t('generate')}
      submitRefused={offline}
      onClose={onClose}
    >
      <SelectField
        name="fromAppId"
        label={t('fromApp')}
        options={choices(apps.filter(({ services }) => services > 0))}
      />
      <SelectField name="toAppId" label={t('toApp')} options={choices(apps)} />
      <SwitchField name="overwrite" label={t('overwrite')} text={t('help.overwrite')} />
      <ConfirmAction
        {...confirming}
        intent="warning"
        title={t('ask.overwrite', {
          app: apps.find(({ appId }) => appId === getValues('toAppId'))?.name ?? '',
        })}
        confirmText={t('generate')}
      >
        <p>{t('ask.overwriteMeans')}</p>
      </ConfirmAction>
    </FormDialog>
  )
}
