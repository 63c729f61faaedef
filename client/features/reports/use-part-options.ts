/** Rows of a report a limit may judge: its closed set, or those of the last thirty days. */
import { useQuery } from '@tanstack/react-query'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { queryOf } from '#client/session/query.ts'
import type { Option } from '#client/ui/form/fields.tsx'
import { uiNow } from '#client/ui/value/clock.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { alertReport, type AlertReportName } from '#shared/reports/alert-reports.ts'
import { type RISK_GROUPS, riskReport } from '#shared/reports/approve-api.ts'
import type { Alert } from './alert-types.ts'
import { partText } from './alert-text.ts'

const DAYS = 30

export function usePartOptions(
  report: AlertReportName,
  group: string | null,
  alert: Alert | null,
  context: Pick<ListContext, 't'>,
): Option[] {
  const today = istDay(uiNow())
  const { data } = useQuery({
    ...queryOf(
      riskReport,
      {
        dateFrom: addDays(today, -DAYS),
        dateTo: today,
        // of the report's own set
        groupBy: group as (typeof RISK_GROUPS)[number],
      },
      { quiet: true },
    ),
    enabled: group !== null,
  })
  const option = (part: string, partName: string | null) => ({
    value: part,
    label: partText({ report, part, partGroup: group, partName }, context),
  })
  if (group === null)
    return (alertReport(report).part?.values ?? []).map((one) => option(String(one), null))
  const found = (data?.rows ?? []).map(({ key, name }) => option(key, name))
  // one that was not seen of late
  const own = alert?.report === report && alert.partGroup === group ? alert.part : null
  return own === null || found.some(({ value }) => value === own)
    ? found
    : [option(own, alert?.partName ?? null), ...found]
}
