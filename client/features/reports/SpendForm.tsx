/** What a campaign cost on a day; of an entry that is there only the figures change. */
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useText } from '#client/base/use-text.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import {
  DayField,
  MoneyField,
  NumberField,
  SelectField,
  TextField,
} from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { uiNow } from '#client/ui/value/clock.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { currentLanguage } from '#client/base/i18n.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import { istDay } from '#shared/kernel/time.ts'
import { enterSpend } from '#shared/reports/delivery-api.ts'
import { reportOptions } from '#shared/reports/reports-api.ts'
import type { Spend } from './spend-columns.ts'

type Values = InputOf<typeof enterSpend>
const OMIT = ['version'] as const
const MOST = 1_000_000_000

export function SpendForm({
  entry,
  onDone,
  onClose,
}: {
  /** Null: a new one. */
  entry: Spend | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('reports')
  const send = useSend(enterSpend, { quiet: true })
  const { data: options } = useQuery(queryOf(reportOptions, {}, { quiet: true }))
  const today = istDay(uiNow())
  const { form, frame } = useSaveForm<Values>({
    schema: enterSpend.input,
    omit: OMIT,
    values: {
      date: entry?.date ?? today,
      channelId: entry?.channelId ?? '',
      campaign: entry?.campaign ?? '',
      spend: entry?.spend ?? 0,
      ...(entry !== null && { version: entry.version }),
      ...(typeof entry?.impressions === 'number' && { impressions: entry.impressions }),
      ...(typeof entry?.clicks === 'number' && { clicks: entry.clicks }),
    },
    onSubmit: (values) => send.mutateAsync(values),
    saved: t('spend.saved'),
    onDone,
    onClose,
  })
  const label = (name: string) => t(`measure.${name}`)
  return (
    <FormDialog
      {...frame}
      width={480}
      title={
        entry === null
          ? t('spend.enter')
          : t('spend.editTitle', {
              campaign: entry.campaign,
              day: formatIst(entry.date, 'day', currentLanguage()),
            })
      }
    >
      <ConflictPane
        form={form}
        fields={[
          { name: 'spend', label: label('spend'), text: (paise) => formatPaise(Number(paise)) },
          { name: 'impressions', label: label('impressions') },
          { name: 'clicks', label: label('clicks') },
        ]}
      />
      {entry === null ? (
        <>
          <DayField name="date" label={label('day')} max={today} />
          <SelectField
            name="channelId"
            label={label('channelName')}
            options={(options?.channels ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
          <TextField
            name="campaign"
            label={label('campaign')}
            maxLength={60}
            help={t('spend.campaignHelp')}
          />
        </>
      ) : null}
      <MoneyField name="spend" label={label('spend')} />
      <NumberField name="impressions" label={label('impressions')} min={0} max={MOST} />
      <NumberField name="clicks" label={label('clicks')} min={0} max={MOST} />
    </FormDialog>
  )
}
