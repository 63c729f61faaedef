/** Totals of telemarketing, the rows behind each figure, and the follow-ups themselves. */
import type { ReactNode } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { reportTabs } from '#client/screen/report/report-tabs.tsx'
import { TotalsReport } from './TotalsReport.tsx'

// they load the grid, which the figures do not need
const Counted = lazyPart(() =>
  import('./CountedList.tsx').then((m) => ({ default: m.CountedList })),
)
const Records = lazyPart(() => import('./record-list.ts').then((m) => ({ default: m.RecordList })))

function CountedList(): ReactNode {
  return <Counted />
}

function RecordList(): ReactNode {
  return <Records />
}

export const Screen = reportTabs('telemarketing', 'telemarketing:total.tab', [
  { name: 'totals', Screen: TotalsReport },
  { name: 'rows', Screen: CountedList },
  { name: 'records', Screen: RecordList },
])
