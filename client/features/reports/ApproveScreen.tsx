/** Approval of applications, and how the approved ones performed. */
import { reportTabs } from '#client/screen/report/report-tabs.tsx'
import { ApproveReport } from './ApproveReport.tsx'
import { RiskReport } from './RiskReport.tsx'

export const Screen = reportTabs('reports', 'reports:tab', [
  { name: 'conversion', Screen: ApproveReport },
  { name: 'risk', Screen: RiskReport },
])
