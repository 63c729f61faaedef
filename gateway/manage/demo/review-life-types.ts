import type { StaffMember } from './accounts.ts'
import type { Doer } from './doers.ts'
import type { MachineReport } from './machine-report.ts'

export interface ReviewStep {
  event: string
  from: string | null
  to: string
  token: number
  by: Doer
  holder: StaffMember | null
  note: string | null
  at: number
}

export interface ReviewLife {
  state: string
  machineState: string | null
  machineAt: number | null
  report: MachineReport | null
  retryCount: number
  steps: ReviewStep[]
  token: number
  /** Holder while claimed, afterwards who decided. */
  reviewer: StaffMember | null
  firstReviewer: StaffMember | null
  queuedAt: number | null
  claimedAt: number | null
  openedAt: number | null
  decidedAt: number | null
  finishedAt: number | null
  idleUntil: number | null
  liveUntil: number | null
  result: 'passed' | 'failed' | null
  rejectCode: string | null
  remark: string | null
  checklist: Record<string, boolean> | null
  preRejectCode: string | null
  priority: number
  tele: { state: string; answers: Record<string, string> | null; attempts: number }
  data: { items: string[]; message: string; until: number } | null
  quality: {
    state: string
    code: string | null
    class: string | null
    by: StaffMember
    at: number | null
    remark: string | null
  } | null
  appeal: { state: string; reason: string; at: number; decideReason: string | null } | null
  handover: { to: StaffMember; reason: string; at: number; expiresAt: number } | null
}
