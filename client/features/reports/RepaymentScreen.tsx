/** What was due, who was reminded, when it was paid, and how much of it goes overdue. */
import { reportTabs } from '#client/screen/report/report-tabs.tsx'
import { BucketReport } from './BucketReport.tsx'
import { RemindReport } from './RemindReport.tsx'
import { RepaymentReport } from './RepaymentReport.tsx'

export const Screen = reportTabs('reports', 'reports:tab', [
  { name: 'repayment', Screen: RepaymentReport },
  { name: 'preRemind', Screen: RemindReport },
  { name: 'bucket', Screen: BucketReport },
])
