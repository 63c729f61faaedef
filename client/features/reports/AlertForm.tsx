/** A limit of a figure; what may be chosen follows from the report, its unit from figure and condition. */
import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useQuery } from '@tanstack/react-query'
import { useListContext } from '#client/screen/list/use-list-context.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import {
  ManyField,
  MoneyField,
  NumberField,
  PercentField,
  SelectField,
} from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import {
  ALERT_REPORT_NAMES,
  alertFilters,
  alertReport,
  type AlertReportName,
} from '#shared/reports/alert-reports.ts'
import { ALERT_KINDS, alertReaders, saveAlert } from '#shared/reports/alerts-api.ts'
import { MEASURES } from '#shared/reports/measures.ts'
import type { Alert } from './alert-types.ts'
import { ALERT_FILTERS } from './alert-filters.ts'
import { usePartOptions } from './use-part-options.ts'
import { AGENCIES, OPTIONS } from './report-filters.ts'

type Values = InputOf<typeof saveAlert>
const OMIT = ['alertId', 'version', 'part', 'partGroup', 'filters'] as const
const TEXTS = ['reports', 'review', 'rules', 'ui']
const READS = [OPTIONS, AGENCIES]

export interface AlertDraft {
  report: AlertReportName
  filters: Record<string, string>
  partGroup?: string | undefined
}

export function AlertForm({
  alert,
  draft = { report: 'home', filters: {} },
  onDone,
  onClose,
}: {
  /** Null: a new one. */
  alert: Alert | null
  /** Of a new one: the report it was asked for on. */
  draft?: AlertDraft
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const context = useListContext(TEXTS, {}, READS)
  const { t, user } = context
  const send = useSend(saveAlert, { quiet: true })
  const first = alert?.report ?? draft.report
  const { form, frame } = useSaveForm<Values>({
    schema: saveAlert.input,
    omit: OMIT,
    values: {
      report: first,
      measure: alert?.measure ?? alertReport(first).measures[0] ?? 'disbursedAmount',
      part: alert?.part ?? '',
      partGroup: alert?.partGroup ?? draft.partGroup ?? '',
      kind: alert?.kind ?? 'below',
      threshold: alert?.threshold ?? 0,
      filters: alert?.filters ?? draft.filters,
      told: alert?.told.map(({ userId }) => userId) ?? [user.userId],
      ...(alert !== null && { alertId: alert.alertId, version: alert.version }),
    },
    onSubmit: (values) => send.mutateAsync(sent(values)),
    saved: t('reports:alert.saved'),
    onDone,
    onClose,
  })
  const [report = first, measure, kind, partGroup] = useValue({
    control: form.form.control,
    name: ['report', 'measure', 'kind', 'partGroup'],
  })
  const { measures, part } = alertReport(report)
  const { data: readers } = useQuery(queryOf(alertReaders, { report }, { quiet: true }))
  const group = part?.groups === undefined ? null : partGroup || part.groups[0] || null
  const parts = usePartOptions(report, group, alert, context)
  const unit = kind === 'change' ? 'percent' : MEASURES[measure].unit
  const threshold = {
    name: 'threshold',
    label: t('reports:alert.threshold'),
    help: t(unit === 'seconds' ? 'reports:alert.secondsHelp' : 'reports:alert.thresholdHelp'),
  }
  return (
    <FormDialog
      {...frame}
      width={520}
      title={t(`reports:alert.${alert === null ? 'add' : 'edit'}`)}
    >
      <SelectField
        name="report"
        label={t('reports:alert.report')}
        options={ALERT_REPORT_NAMES.filter((name) =>
          context.hasMenu(alertReport(name).endpoint.menu ?? ''),
        ).map((name) => ({ value: name, label: t(`reports:alert.reports.${name}`) }))}
      />
      {part?.groups === undefined ? null : (
        <SelectField
          name="partGroup"
          label={t('chart:report.by')}
          options={part.groups.map((name) => ({
            value: name,
            label: t(`reports:measure.${name === 'code' ? 'refusalCode' : name}`),
          }))}
        />
      )}
      {part === undefined ? null : (
        <SelectField
          name="part"
          label={t('reports:alert.part')}
          options={parts}
          {...(part.hasSum === true && { placeholder: t('reports:cohort.all') })}
        />
      )}
      <SelectField
        name="measure"
        label={t('reports:alert.measure')}
        help={measures.includes(measure) ? t(`reports:help.${measure}`) : undefined}
        options={measures.map((name) => ({ value: name, label: t(`reports:measure.${name}`) }))}
      />
      <SelectField
        name="kind"
        label={t('reports:alert.kind')}
        help={t('reports:alert.kindHelp')}
        options={ALERT_KINDS.map((one) => ({ value: one, label: t(`reports:alert.kinds.${one}`) }))}
      />
      {unit === 'money' ? (
        <MoneyField {...threshold} />
      ) : unit === 'percent' ? (
        <PercentField {...threshold} />
      ) : (
        <NumberField {...threshold} min={0} />
      )}
      {alertFilters(report).map((name) => {
        const filter = ALERT_FILTERS[name]
        return filter === undefined ? null : (
          <SelectField
            key={name}
            name={`filters.${name}`}
            label={t(`reports:${filter.label as string}`)}
            placeholder={t('ui:filter.all')}
            options={filter.options?.(context) ?? []}
          />
        )
      })}
      <ManyField
        name="told"
        label={t('reports:alert.told')}
        options={(readers?.people ?? []).map(({ userId, userName, account }) => ({
          value: userId,
          label: `${userName} (${account})`,
        }))}
      />
    </FormDialog>
  )
}

/** Without what the report has not, or what was left empty. */
function sent({ part, partGroup, filters = {}, ...values }: Values): Values {
  const { report = 'home' } = values
  const rule = alertReport(report).part
  const kept = Object.entries(filters).filter(
    ([name, value]) => value !== '' && alertFilters(report).includes(name),
  )
  return {
    ...values,
    filters: Object.fromEntries(kept),
    ...(rule !== undefined && part !== undefined && part !== '' && { part }),
    ...(rule?.groups !== undefined && { partGroup: partGroup || (rule.groups[0] ?? '') }),
  }
}
