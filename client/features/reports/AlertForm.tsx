/** A limit of a daily figure; its unit follows the figure and the condition. */
import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useQuery } from '@tanstack/react-query'
import { useText } from '#client/base/use-text.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import {
  ManyField,
  MoneyField,
  NumberField,
  PercentField,
  SelectField,
} from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { ALERT_KINDS, alertReaders, saveAlert } from '#shared/reports/alerts-api.ts'
import { HOME_MEASURES } from '#shared/reports/home-figures-api.ts'
import { MEASURES } from '#shared/reports/measures.ts'
import { reportOptions } from '#shared/reports/reports-api.ts'
import type { Alert } from './alert-columns.ts'

type Values = InputOf<typeof saveAlert>
const OMIT = ['alertId', 'version'] as const

export function AlertForm({
  alert,
  onDone,
  onClose,
}: {
  /** Null: a new one. */
  alert: Alert | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('reports')
  const { user } = useSession()
  const send = useSend(saveAlert, { quiet: true })
  const { data: options } = useQuery(queryOf(reportOptions, {}, { quiet: true }))
  const { data: readers } = useQuery(queryOf(alertReaders, {}, { quiet: true }))
  const { form, frame } = useSaveForm<Values>({
    schema: saveAlert.input,
    omit: OMIT,
    values: {
      measure: alert?.measure ?? 'disbursedAmount',
      kind: alert?.kind ?? 'below',
      threshold: alert?.threshold ?? 0,
      told: alert?.told.map(({ userId }) => userId) ?? [user.userId],
      ...(alert !== null && { alertId: alert.alertId, version: alert.version }),
      ...(typeof alert?.appId === 'string' && { appId: alert.appId }),
      ...(typeof alert?.channelId === 'string' && { channelId: alert.channelId }),
    },
    onSubmit: (values) => send.mutateAsync(values),
    saved: t('alert.saved'),
    onDone,
    onClose,
  })
  const [measure, kind] = useValue({ control: form.form.control, name: ['measure', 'kind'] })
  const unit = kind === 'change' ? 'percent' : MEASURES[measure].unit
  const threshold = {
    name: 'threshold',
    label: t('alert.threshold'),
    help: t('alert.thresholdHelp'),
  }
  const named = (rows: readonly { id: string; name: string }[] = []) =>
    rows.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <FormDialog {...frame} width={520} title={t(alert === null ? 'alert.add' : 'alert.edit')}>
      <SelectField
        name="measure"
        label={t('alert.measure')}
        options={HOME_MEASURES.map((name) => ({ value: name, label: t(`measure.${name}`) }))}
      />
      <SelectField
        name="kind"
        label={t('alert.kind')}
        options={ALERT_KINDS.map((one) => ({ value: one, label: t(`alert.kinds.${one}`) }))}
      />
      {unit === 'money' ? (
        <MoneyField {...threshold} />
      ) : unit === 'percent' ? (
        <PercentField {...threshold} />
      ) : (
        <NumberField {...threshold} min={0} />
      )}
      <SelectField name="appId" label={t('filter.app')} options={named(options?.apps)} />
      <SelectField
        name="channelId"
        label={t('filter.channel')}
        options={named(options?.channels)}
      />
      <ManyField
        name="told"
        label={t('alert.told')}
        options={(readers?.people ?? []).map(({ userId, userName, account }) => ({
          value: userId,
          label: `${userName} (${account})`,
        }))}
      />
    </FormDialog>
  )
}
