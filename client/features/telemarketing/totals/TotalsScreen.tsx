/** Totals of telemarketing, the rows behind each figure, and the follow-ups themselves. */
import { reportTabs } from '#client/screen/report/report-tabs.tsx'
import { CountedList } from './CountedList.tsx'
import { RecordList } from './record-list.ts'
import { TotalsReport } from './TotalsReport.tsx'

export const Screen = reportTabs('telemarketing', 'telemarketing:total.tab', [
  { name: 'totals', Screen: TotalsReport },
  { name: 'rows', Screen: CountedList },
  { name: 'records', Screen: RecordList },
])
