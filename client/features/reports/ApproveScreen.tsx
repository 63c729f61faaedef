/** What becomes of applications, and what is known of those that were passed. */
import { reportTabs } from '#client/screen/report/report-tabs.tsx'
import { ApproveReport } from './ApproveReport.tsx'
import { RiskReport } from './RiskReport.tsx'

export const Screen = reportTabs('reports', 'reports:tab', [
  { name: 'conversion', Screen: ApproveReport },
  { name: 'risk', Screen: RiskReport },
])
