/**
 * The actions of a person on a ticket: the codes decide which exist, the lifecycle and the person's
 * relation to the ticket which are disabled and why. The server asks the same lifecycle. Pure.
 */
import { MAX_LEVEL } from '#shared/tickets/ticket-sets.ts'
import { ticketLifecycle, type TicketEventType } from '#shared/tickets/ticket-lifecycle.ts'
import { can, type TicketRow, type Viewer } from './ticket-types.ts'

export const TICKET_ACTION_IDS = [
  'claim',
  'reply',
  'resolve',
  'transfer',
  'superior',
  'approve',
  'reject',
  'withdraw',
  'release',
  'assign',
  'reopen',
  'stop',
] as const
export type TicketActionId = (typeof TICKET_ACTION_IDS)[number]

export interface Refusal {
  /** i18n key below `tickets:refused`; `name` is the processor. */
  key: 'finished' | 'unclaimed' | 'claimed' | 'notYours' | 'pending' | 'top' | 'open'
}

export interface ActionNow {
  id: TicketActionId
  /** Why it is disabled; null = enabled. */
  refusal: Refusal | null
}

/** The lifecycle event of an action that changes the progress. */
const EVENTS: Partial<Record<TicketActionId, TicketEventType>> = {
  claim: 'CLAIM',
  assign: 'ASSIGN',
  reply: 'REPLY',
  resolve: 'RESOLVE',
  transfer: 'TRANSFER_APPROVED',
  superior: 'ESCALATE',
  release: 'RETURN',
  reopen: 'REOPEN',
}

export function actionsOf(row: TicketRow, viewer: Viewer): ActionNow[] {
  return TICKET_ACTION_IDS.filter((id) => exists(id, row, viewer)).map((id) => ({
    id,
    refusal: refusalOf(id, row, viewer),
  }))
}

export function isMine(row: Pick<TicketRow, 'processorId'>, viewer: Viewer): boolean {
  return row.processorId === viewer.userId
}

/** Whether a pending hand-over is offered to the viewer or to the viewer's department. */
export function isReceiver(
  row: Pick<TicketRow, 'handoverToId' | 'handoverToDepartment' | 'queue'>,
  viewer: Viewer,
): boolean {
  return (
    row.handoverToId === viewer.userId ||
    (row.handoverToDepartment !== null &&
      row.handoverToDepartment === viewer.departmentId &&
      can(viewer, row.queue, 'reply'))
  )
}

function exists(id: TicketActionId, row: TicketRow, viewer: Viewer): boolean {
  const may = (action: Parameters<typeof can>[2]) => can(viewer, row.queue, action)
  const isPending = row.handoverState === 'pending' && row.handoverId !== null
  switch (id) {
    case 'claim':
      return may('reply') && row.progress === 'unprocessed'
    case 'reply':
    case 'resolve':
    case 'transfer':
    case 'superior':
      return may(id) && row.progress !== 'finished'
    case 'approve':
    case 'reject':
      return (
        isPending &&
        row.handoverById !== viewer.userId &&
        (may('decide') || isReceiver(row, viewer))
      )
    case 'withdraw':
      return isPending && row.handoverById === viewer.userId
    case 'release':
      return (
        row.progress === 'followingUp' &&
        ((may('reply') && isMine(row, viewer)) || may('distribute'))
      )
    case 'assign':
      return may('distribute') && row.progress === 'unprocessed'
    case 'reopen':
      return may('reopen') && row.progress === 'finished'
    case 'stop':
      return (
        row.queue === 'loaned' &&
        viewer.codes.has('stop_collection:add') &&
        row.caseId !== null &&
        !row.held
      )
  }
}

function refusalOf(id: TicketActionId, row: TicketRow, viewer: Viewer): Refusal | null {
  const event = EVENTS[id]
  if (event === undefined) return null
  if (!ticketLifecycle.allowed(row.progress).includes(event))
    return {
      key:
        row.progress === 'finished'
          ? 'finished'
          : row.progress === 'unprocessed'
            ? 'unclaimed'
            : id === 'reopen'
              ? 'open'
              : 'claimed',
    }
  if (id === 'claim' || id === 'assign' || id === 'reopen') return null
  const leads = can(viewer, row.queue, id === 'release' ? 'distribute' : 'decide')
  const mine = isMine(row, viewer)
  if (id === 'reply' ? !mine : !mine && !leads)
    return row.processorId === null ? { key: 'unclaimed' } : { key: 'notYours' }
  // a pending hand-over blocks the processor until it is decided
  if (row.handoverState === 'pending' && (id === 'reply' || id === 'transfer' || !leads))
    return { key: 'pending' }
  return id === 'superior' && row.level >= MAX_LEVEL ? { key: 'top' } : null
}
