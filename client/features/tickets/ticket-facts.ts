/** What one live event changes in a ticket row, and what it leaves unknown. Pure. */
import type { DataOfEvent, LiveEvent, LiveEventKind } from '#shared/kernel/live.ts'
import {
  TICKET_ASSIGNED,
  TICKET_CREATED,
  TICKET_ESCALATED,
  TICKET_HANDOVER_CHANGED,
  TICKET_LEASE_EXPIRING,
  TICKET_REPLIED,
  TICKET_SLA_DUE,
  TICKET_STATE_CHANGED,
} from '#shared/tickets/tickets-live.ts'
import type { TicketQueue, TicketRow } from './ticket-types.ts'

export interface TicketFacts {
  feedbackId: string
  queue: TicketQueue | null
  fields: Partial<TicketRow>
  /** Fields change that the event does not carry, so a shown row must be fetched. */
  isPartial: boolean
  /** The figures of the tabs may have changed. */
  counts: boolean
}

const NO_HANDOVER: Partial<TicketRow> = {
  handoverId: null,
  handoverById: null,
  handoverFrom: null,
  handoverTo: null,
  handoverToId: null,
  handoverToDepartment: null,
  handoverReason: null,
  handoverUntil: null,
}

/** Null for events that are not about a ticket. */
export function factsOf(event: LiveEvent, known: TicketRow | undefined): TicketFacts | null {
  // the event type determines the type of its data
  const is = <Kind extends LiveEventKind>(kind: Kind) =>
    event.type === kind.type ? (event.data as DataOfEvent<Kind>) : null
  const factsFrom = (
    data: { feedbackId: string; queue?: string },
    fields: Partial<TicketRow>,
    more: { isPartial?: boolean; counts?: boolean } = {},
  ): TicketFacts => ({
    feedbackId: data.feedbackId,
    queue: (data.queue ?? null) as TicketQueue | null,
    fields,
    isPartial: more.isPartial ?? false,
    counts: more.counts ?? false,
  })
  const created = is(TICKET_CREATED)
  if (created)
    return factsFrom(
      created,
      {
        type: created.type,
        queue: created.queue as TicketQueue,
        progress: 'unprocessed',
        processorId: null,
        followState: 'notFollowed',
        handoverState: null,
        level: 0,
        dueTime: created.dueTime,
      },
      { counts: true },
    )
  const given = is(TICKET_ASSIGNED)
  if (given) {
    return factsFrom(
      given,
      {
        processorId: given.toUserId,
        processorName: given.toUserName,
        progress: given.progress as TicketRow['progress'],
        department: given.department,
        departmentName: given.departmentName,
        leaseUntil: given.leaseUntil,
        token: given.token,
      },
      { counts: true },
    )
  }
  const moved = is(TICKET_STATE_CHANGED)
  if (moved) {
    const {
      to,
      followState,
      evaluation,
      processorId,
      processorName,
      firstReplyTime,
      dueTime,
      finishTime,
      leaseUntil,
      token,
    } = moved
    const begins =
      known !== undefined &&
      known.firstReplyTime === null &&
      known.dueFromTime === known.createTime &&
      firstReplyTime !== null
    return factsFrom(
      moved,
      {
        progress: to as TicketRow['progress'],
        followState: followState as TicketRow['followState'],
        evaluation,
        processorId,
        processorName,
        firstReplyTime,
        dueTime,
        finishTime,
        leaseUntil,
        token,
        ...(begins ? { dueFromTime: firstReplyTime } : {}),
      },
      // reopening starts a new clock; resolving a grievance ends its hold on the case
      {
        isPartial:
          moved.from !== moved.to && (moved.queue === 'loaned' || moved.from === 'finished'),
        counts: true,
      },
    )
  }
  const handover = is(TICKET_HANDOVER_CHANGED)
  if (handover) {
    const isPending = handover.state === 'pending'
    // the event carries no text; people who may read it fetch it
    return factsFrom(
      handover,
      {
        handoverState: handover.state as TicketRow['handoverState'],
        ...(isPending ? {} : NO_HANDOVER),
      },
      { isPartial: isPending, counts: true },
    )
  }
  const escalated = is(TICKET_ESCALATED)
  if (escalated)
    return factsFrom(
      escalated,
      { level: escalated.level, dueTime: escalated.dueTime },
      {
        isPartial: escalated.department !== (known?.department ?? escalated.department),
        counts: true,
      },
    )
  const due = is(TICKET_SLA_DUE)
  if (due) return factsFrom(due, {}, { counts: true })
  const replied = is(TICKET_REPLIED)
  if (replied) return factsFrom(replied, {})
  const expiring = is(TICKET_LEASE_EXPIRING)
  return expiring ? factsFrom(expiring, { leaseUntil: expiring.leaseUntil }) : null
}
