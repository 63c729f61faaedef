import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { NumberField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { saveEmiService } from '#shared/vendors/emi-services-api.ts'
import {
  addService,
  configurationsOf,
  editService,
  type listServiceApps,
  type listThirdParties,
} from '#shared/vendors/vendors-api.ts'
import type { Service } from './vendor-types.ts'

type Values = InputOf<typeof editService>

const OMIT = ['id', 'version'] as const

/**
 * Which configuration serves an app, and when it is asked.
 * @param ofEmi saved by the call of EMI apps
 */
export function ServiceForm({
  ofEmi = false,
  service,
  apps,
  parties,
  onDone,
  onClose,
}: {
  ofEmi?: boolean
  service: Service | null
  apps: readonly Pick<DataOf<typeof listServiceApps>[number], 'appId' | 'name'>[]
  parties: DataOf<typeof listThirdParties>
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('vendors')
  const add = useSend(addService, { quiet: true })
  const edit = useSend(editService, { quiet: true })
  const save = useSend(saveEmiService, { quiet: true })
  const { form, frame } = useSaveForm<Values>({
    schema: service === null ? addService.input : editService.input,
    omit: OMIT,
    values: {
      id: service?.id ?? '',
      version: service?.version ?? 1,
      appId: service?.appId ?? '',
      thirdPartyId: service?.thirdPartyId ?? '',
      cfgId: service?.cfgId ?? '',
      priority: service?.priority ?? 1,
      share: service?.share ?? 0,
      remark: service?.remark ?? '',
    },
    onSubmit: async ({ id, version, ...fields }) => {
      const known = service === null ? {} : { id, version }
      if (ofEmi) await save.mutateAsync({ ...known, ...fields })
      else if (service === null) await add.mutateAsync(fields)
      else await edit.mutateAsync({ id, version, ...fields })
    },
    saved: t('saved'),
    onDone,
    onClose,
  })
  // what serves EMI apps is confirmed, as everything else of theirs is
  const [shown, confirming] = useSubmitQuestion(form, () => ofEmi)
  const { control, getValues, setValue } = form.form
  const thirdPartyId = useValue({ control, name: 'thirdPartyId' })
  const configurations = useQuery({
    ...queryOf(configurationsOf, { thirdPartyId }, { quiet: true }),
    enabled: thirdPartyId !== '',
  })
  const known = configurations.data
  // a configuration of the party chosen before would be refused; the only one there is needs no choice
  useEffect(() => {
    if (known === undefined || known.some(({ cfgId }) => cfgId === getValues('cfgId'))) return
    const usable = known.filter(({ status }) => status === 'enabled')
    setValue('cfgId', usable.length === 1 ? (usable[0]?.cfgId ?? '') : '', { shouldDirty: true })
  }, [known, getValues, setValue])
  const label = (field: string) => t(`col.${field}`)
  const appName = (id: unknown) => apps.find(({ appId }) => appId === id)?.name ?? String(id)
  return (
    <FormDrawer
      {...frame}
      width={480}
      title={service === null ? t('action.add') : t('editTitle', { id: service.id })}
      form={shown}
      submitText={t('save')}
    >
      <ConflictPane
        form={form}
        fields={[
          { name: 'appId', label: label('appName'), text: appName },
          {
            name: 'thirdPartyId',
            label: label('thirdPartyName'),
            text: (id) => parties.find((one) => one.thirdPartyId === id)?.name ?? String(id),
          },
          { name: 'cfgId', label: label('cfgName') },
          { name: 'priority', label: label('priority') },
          { name: 'share', label: label('share') },
          { name: 'remark', label: label('remark') },
        ]}
      />
      <SelectField
        name="appId"
        label={label('appName')}
        options={apps.map(({ appId, name }) => ({ value: appId, label: name }))}
      />
      <SelectField
        name="thirdPartyId"
        label={label('thirdPartyName')}
        options={parties.map((one) => ({
          value: one.thirdPartyId,
          label: t('partyOfKind', { name: one.name, kind: t(`kind.${one.kind}`) }),
          disabled: one.status === 'disabled',
        }))}
      />
      <SelectField
        name="cfgId"
        label={label('cfgName')}
        options={(known ?? [])
          .filter(({ status, cfgId }) => status === 'enabled' || cfgId === service?.cfgId)
          .map(({ cfgId, name, baseUrl }) => ({ value: cfgId, label: `${name} · ${baseUrl}` }))}
      />
      <NumberField
        name="priority"
        label={label('priority')}
        help={t('help.priority')}
        min={1}
        max={99}
      />
      <NumberField
        name="share"
        label={label('share')}
        help={t('help.share')}
        min={0}
        max={100}
        suffix="%"
      />
      <TextField name="remark" label={label('remark')} maxLength={200} />
      <ConfirmAction
        {...confirming}
        intent="primary"
        title={t('ask.save', { app: appName(getValues('appId')) })}
        confirmText={t('save')}
      >
        <p>{t('ask.saveMeans')}</p>
      </ConfirmAction>
    </FormDrawer>
  )
}
