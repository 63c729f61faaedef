/** A ticket row for tests, with defaults for everything a test does not set. */
import type { TicketRow, Viewer } from '../ticket-types.ts'

export function ticketRow(given: Partial<TicketRow> = {}): TicketRow {
  return {
    feedbackId: 'F1',
    userId: 'C1',
    userName: 'Asha Rao',
    phone: 'XXXXXX3210',
    orderId: null,
    type: 1,
    content: 'The app does not open',
    files: [],
    contactWay: 'phone',
    queue: 'operation',
    department: null,
    departmentName: null,
    processorId: null,
    processorName: null,
    aboutId: null,
    aboutName: null,
    progress: 'unprocessed',
    followState: 'notFollowed',
    handoverState: null,
    handoverId: null,
    handoverById: null,
    handoverFrom: null,
    handoverTo: null,
    handoverToId: null,
    handoverToDepartment: null,
    handoverReason: null,
    handoverUntil: null,
    level: 0,
    createTime: '2026-11-21T04:00:00.000Z',
    firstReplyTime: null,
    dueTime: '2026-11-21T08:00:00.000Z',
    dueFromTime: '2026-11-21T04:00:00.000Z',
    finishTime: null,
    evaluation: null,
    leaseUntil: null,
    token: 0,
    version: 1,
    caseId: null,
    stageId: null,
    collectorId: null,
    collectorName: null,
    held: false,
    ...given,
  }
}

export const ASHA = {
  processorId: 'asha',
  processorName: 'Asha K',
  progress: 'followingUp',
  token: 1,
} as const

export function viewer(
  userId: string,
  actions: readonly string[],
  menu = 'operation_ticket',
  departmentId: string | null = null,
): Viewer {
  return {
    userId,
    departmentId,
    codes: new Set(actions.map((action) => (action.includes(':') ? action : `${menu}:${action}`))),
  }
}
export const AGENT_CODES = ['reply', 'resolve', 'transfer', 'superior', 'reveal'] as const
export const LEADER_CODES = [...AGENT_CODES, 'decide', 'reopen', 'distribute'] as const
