import Type from 'typebox'
import {
  Day,
  endpoint,
  Id,
  Nullable,
  OneOf,
  Text,
  Time,
  Token,
  Version,
} from '#shared/kernel/endpoint.ts'
import { ATTACHED, KeptFile } from '#shared/kernel/kept-file.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { CONTACT_WAYS } from '#shared/collection/collection-sets.ts'
import { HANDOVER_STATES } from '#shared/handovers/handover-lifecycle.ts'
import { FOLLOW_STATES } from './follow-lifecycle.ts'
import { PROGRESS_STATES } from './ticket-lifecycle.ts'
import {
  STATEMENT_GROUPS,
  STEP_KINDS,
  TICKET_QUEUES,
  TICKET_TABS,
  TICKET_TYPES,
} from './ticket-sets.ts'

/**
 * Calls of feedback tickets. The ticket's own queue decides which menu's codes count (`mayTicket`).
 */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const reason = Text(4, 200)
const version = Version()
const strict = { additionalProperties: false }
const menu = 'user_feedback'
// a form sends the integer code as text
const type = Type.Unsafe<(typeof TICKET_TYPES)[number]>(Type.Integer({ enum: [...TICKET_TYPES] }))
const ids = Type.Array(Id(), { maxItems: BULK_MAX, uniqueItems: true })
const list = (pattern: string) =>
  Type.Optional(Type.String({ maxLength: 400, pattern: `^${pattern}(,${pattern})*$` }))

/** The menus that can reach a ticket, each with the action. */
const by = <const A extends string>(action: A) =>
  [`user_feedback:${action}`, `operation_ticket:${action}`, `loaned_ticket:${action}`] as const
const view = by('view')

export const TicketRow = Type.Object({
  feedbackId: text,
  userId: text,
  userName: text,
  /** Masked. */
  phone: text,
  orderId: maybe,
  type: int,
  content: text,
  /** Files sent with the content. */
  files: Type.Array(KeptFile),
  contactWay: OneOf(CONTACT_WAYS),
  queue: OneOf(TICKET_QUEUES),
  /**
   * The ticket's unit: that of the customer's case at first, then that of the hand-over's receiver.
   */
  department: maybe,
  departmentName: maybe,
  processorId: maybe,
  processorName: maybe,
  /** The collector the complaint is about, who never sees the ticket. */
  aboutId: maybe,
  aboutName: maybe,
  progress: OneOf(PROGRESS_STATES),
  followState: OneOf(FOLLOW_STATES),
  /** State of the newest hand-over. */
  handoverState: Nullable(OneOf(HANDOVER_STATES)),
  /** The pending hand-over, for its receiver and its requester. */
  handoverId: maybe,
  handoverById: maybe,
  handoverFrom: maybe,
  handoverTo: maybe,
  handoverToId: maybe,
  /** Id of the department it is offered to, unless it is offered to a person. */
  handoverToDepartment: maybe,
  handoverReason: maybe,
  handoverUntil: maybe,
  /** 0 to 3. */
  level: int,
  createTime: text,
  firstReplyTime: maybe,
  /** Of the first reply while there is none, afterwards of the answer. */
  dueTime: text,
  /** When the current clock began: at creation or at the first reply. */
  dueFromTime: text,
  finishTime: maybe,
  evaluation: Nullable(int),
  /** Until the first reply only. */
  leaseUntil: maybe,
  token: int,
  version: int,
  /** The customer's open case, in the post-loan queue; null elsewhere. */
  caseId: maybe,
  stageId: maybe,
  collectorId: maybe,
  collectorName: maybe,
  /** Whether the case is on hold because of this ticket, or for another reason. */
  held: Type.Boolean(),
})

export const listTickets = endpoint({
  method: 'GET',
  path: '/feedback/selectFeedbackList',
  exports: [
    { code: 'user_feedback:export' },
    { code: 'operation_ticket:export', when: { queue: ['operation'] } },
    { code: 'loaned_ticket:export', when: { queue: ['loaned'] } },
  ],
  file: { path: '/export/list/feedbackExport' },
  access: view,
  menu,
  input: ListInput({
    /**
     * queue = not resolved; mine = the caller's, not resolved; handover = a pending hand-over to or
     * from the caller, or in a queue they lead; absent = all.
     */
    tab: Type.Optional(OneOf(TICKET_TABS)),
    feedbackId: Type.Optional(Id()),
    queue: Type.Optional(OneOf(TICKET_QUEUES)),
    /** Comma separated. */
    type: list('[1-6]'),
    progress: list('[A-Za-z]+'),
    followState: list('[A-Za-z]+'),
    handoverState: list('[a-z]+'),
    level: list('[0-3]'),
    processorId: Type.Optional(Id()),
    department: Type.Optional(Id()),
    userId: Type.Optional(Id()),
    phone: Type.Optional(Type.String({ pattern: '^[6-9]\\d{9}$' })),
    orderId: Type.Optional(Id()),
    createTimeFrom: Type.Optional(Time()),
    createTimeTo: Type.Optional(Time()),
    /** Past its due time and not resolved. */
    overdue: Type.Optional(Type.Boolean()),
    /** Not resolved and in the last quarter of its time, at least in the last 10 minutes. */
    dueSoon: Type.Optional(Type.Boolean()),
    /** Post-loan queue: of the customer's open case. */
    stageId: list('[A-Z]\\d'),
    agencyId: Type.Optional(Id()),
    collectorId: Type.Optional(Id()),
  }),
  data: Type.Object({
    ...ListData(TicketRow).properties,
    /**
     * Counts of the requested queue (or both) within the caller's scope, without the other filters.
     * `queue` = not resolved, `waiting` = unprocessed.
     */
    counts: Type.Object({
      queue: int,
      waiting: int,
      mine: int,
      handover: int,
      missed: int,
      dueSoon: int,
    }),
    stats: Type.Object({
      /** People on duty who take tickets of the queue. */
      takers: int,
      maxClaimed: int,
      /** Whether the caller takes part in automatic distribution; null when they serve no queue. */
      distributionOn: Nullable(Type.Boolean()),
    }),
  }),
  summary: 'Feedback tickets of the caller: by tab and filter, due soonest first',
})

export const ticketDetail = endpoint({
  method: 'GET',
  path: '/feedback/detail',
  access: view,
  menu,
  input: Type.Object({ feedbackId: Id() }),
  data: Type.Object({
    ticket: TicketRow,
    customer: Type.Object({
      userId: text,
      name: text,
      phone: text,
      email: maybe,
      language: text,
      city: maybe,
      customerClass: text,
      orderCount: int,
      ticketCount: int,
    }),
    order: Nullable(
      Type.Object({
        orderId: text,
        status: int,
        amount: int,
        outstanding: int,
        dueTime: maybe,
        overdueDays: int,
        productName: text,
      }),
    ),
    /** Other tickets of the customer the caller may see, newest first. */
    others: Type.Array(
      Type.Object({ feedbackId: text, type: int, progress: text, createTime: text }),
    ),
    /** Lifecycle events the caller may send now. */
    allowed: Type.Array(text),
    /** What the caller may do with a pending hand-over: decide it, or cancel their own. */
    mayDecide: Type.Boolean(),
    mayWithdraw: Type.Boolean(),
    idleSeconds: int,
    finishedBy: maybe,
    resolution: maybe,
  }),
  summary: 'One ticket with its customer and order cards',
})

export const ticketSteps = endpoint({
  method: 'GET',
  path: '/feedback/processingProgressView',
  access: view,
  menu,
  input: Type.Object({ feedbackId: Id() }),
  data: Type.Object({
    steps: Type.Array(
      Type.Object({
        stepId: text,
        time: text,
        kind: OneOf(STEP_KINDS),
        operatorId: maybe,
        operatorName: maybe,
        content: maybe,
        remark: maybe,
        files: Type.Array(KeptFile),
        internal: Type.Boolean(),
        fromState: maybe,
        toState: maybe,
      }),
    ),
  }),
  summary: 'The steps of a ticket, oldest first',
})

export const ticketFile = endpoint({
  method: 'GET',
  path: '/feedback/file',
  access: view,
  menu,
  input: Type.Object({ feedbackId: Id(), fileId: Id() }),
  // a file without envelope: a watermarked picture, or a PDF to download
  data: Type.Unknown(),
  audit: 'ticketFile',
  summary: 'A file of a ticket, for people who see the ticket; each opening is logged',
})

export const addTicket = endpoint({
  method: 'POST',
  path: '/feedback/add',
  access: ['user_feedback:add', 'info:ticket', 'pedding_list:ticket'],
  menu,
  input: Type.Object(
    {
      userId: Id(),
      type,
      content: Text(5, 1000),
      orderId: Type.Optional(Id()),
      contactWay: OneOf(CONTACT_WAYS),
    },
    strict,
  ),
  files: ATTACHED,
  data: Type.Object({ feedbackId: text, queue: OneOf(TICKET_QUEUES) }),
  audit: 'add',
  idempotency: 'required',
  summary: "Opens a ticket; collection and complaint hold the customer's case until it is resolved",
})

export const claimTicket = endpoint({
  method: 'POST',
  path: '/feedback/claim',
  access: by('reply'),
  menu,
  input: Type.Object({ feedbackId: Id(), version }, strict),
  data: TicketRow,
  audit: 'claim',
  summary: 'Claims an unprocessed ticket and starts its lease',
})

export const claimNextTicket = endpoint({
  method: 'POST',
  path: '/feedback/next',
  access: by('reply'),
  menu,
  /** Without a queue: in every queue the caller answers. */
  input: Type.Object({ queue: Type.Optional(OneOf(TICKET_QUEUES)) }, strict),
  data: TicketRow,
  audit: 'claim',
  summary: 'Claims the ticket that is due first and that nobody holds',
})

export const assignTickets = endpoint({
  method: 'POST',
  path: '/feedback/assign',
  access: by('distribute'),
  menu,
  input: Type.Object({ feedbackIds: ids, toUserId: Id() }, strict),
  data: BulkData(),
  audit: 'assign',
  summary: 'Assigns unprocessed tickets to a person on duty',
})

export const renewTicket = endpoint({
  method: 'POST',
  path: '/feedback/renew',
  access: by('reply'),
  menu,
  input: Type.Object({ feedbackId: Id(), token: Token(), lastInputTime: Time() }, strict),
  data: Type.Object({ leaseUntil: maybe, idleUntil: maybe, liveUntil: maybe }),
  passive: true,
  summary:
    'Heartbeat of the processor until the first reply, every 30 s from a visible tab; null when no lease is needed',
})

export const releaseTicket = endpoint({
  method: 'POST',
  path: '/feedback/release',
  access: [...by('reply'), ...by('distribute')],
  menu,
  input: Type.Object({ feedbackId: Id(), version, reason }, strict),
  data: TicketRow,
  audit: 'release',
  summary: 'Releases a ticket to the queue, by its processor or a leader',
})

export const reopenTicket = endpoint({
  method: 'POST',
  path: '/feedback/reopen',
  access: by('reopen'),
  menu,
  input: Type.Object({ feedbackId: Id(), version, reason }, strict),
  data: TicketRow,
  audit: 'reopen',
  summary: 'Reopens a resolved ticket; a grievance holds the case again',
})

export const replyTicket = endpoint({
  method: 'POST',
  path: '/feedback/reply',
  access: by('reply'),
  menu,
  input: Type.Object(
    {
      feedbackId: Id(),
      version,
      content: Text(1, 1000),
      internal: Type.Optional(Type.Boolean()),
      remark: Type.Optional(Text(0, 500)),
    },
    strict,
  ),
  files: ATTACHED,
  data: TicketRow,
  audit: 'reply',
  summary: 'Replies to the customer, or adds an internal note',
})

export const resolveTicket = endpoint({
  method: 'POST',
  path: '/feedback/resolve',
  place: 'query',
  access: by('resolve'),
  menu,
  input: Type.Object({ feedbackId: Id(), version, remark: Text(1, 500) }, strict),
  data: TicketRow,
  audit: 'resolve',
  summary:
    'Resolves a ticket and sends the resolution to the customer; a grievance releases the case',
})

export const listTicketTypes = endpoint({
  method: 'GET',
  path: '/feedback/typeList',
  access: 'any',
  menu,
  input: Type.Object({}),
  data: Type.Array(
    Type.Object({
      code: int,
      labelKey: text,
      queue: OneOf(TICKET_QUEUES),
      queueWhenOverdue: OneOf(TICKET_QUEUES),
      slaMinutes: int,
    }),
  ),
  summary: 'Types of tickets with their queue and the minutes to the first reply',
})

export const listTakers = endpoint({
  method: 'GET',
  path: '/feedback/selectDistributionSysUser',
  access: [...by('transfer'), ...by('distribute')],
  menu,
  input: Type.Object({
    queue: OneOf(TICKET_QUEUES),
    department: Type.Optional(Id()),
    /** Leaves out the people the tickets are about. */ feedbackId: Type.Optional(Id()),
  }),
  data: Type.Array(
    Type.Object({
      userId: text,
      userName: text,
      account: text,
      department: maybe,
      departmentName: maybe,
      online: Type.Boolean(),
      /** Can be assigned tickets: enabled, with distribution switched on. */
      onDuty: Type.Boolean(),
      openCount: int,
      capacity: int,
      distributionOn: Type.Boolean(),
    }),
  ),
  summary: 'People who serve a queue and can be assigned tickets by the caller',
})

export const ticketStatement = endpoint({
  method: 'GET',
  path: '/feedback/feedbackStatement',
  access: view,
  menu,
  input: Type.Object({
    queue: Type.Optional(OneOf(TICKET_QUEUES)),
    dateFrom: Day(),
    dateTo: Day(),
    groupBy: Type.Optional(OneOf(STATEMENT_GROUPS)),
  }),
  data: Type.Object({
    /**
     * Of the tickets created on the IST days of the range; created = finished + open. Averages
     * cover the tickets that have the value.
     */
    rows: Type.Array(
      Type.Object({
        /** Day, type code, department id or user id; '' = none. */
        key: text,
        /** Of a department or a person. */
        name: maybe,
        created: int,
        finished: int,
        open: int,
        avgFirstReplySec: Nullable(int),
        avgFinishSec: Nullable(int),
        slaMissed: int,
        handovers: int,
        escalated: int,
        /** Rating times 100: 425 = 4.25. */
        avgEvaluation: Nullable(int),
      }),
    ),
    asOf: text,
  }),
  summary: 'Figures of the tickets of a range of days',
})

export const escalateTicket = endpoint({
  method: 'POST',
  path: '/feedback/toSuperior',
  place: 'query',
  access: by('superior'),
  menu,
  input: Type.Object({ feedbackId: Id(), version, reason }, strict),
  data: TicketRow,
  audit: 'superior',
  summary:
    'Escalates a ticket by one level, notifies the head of the department and shortens the due time',
})

export const setDistribution = endpoint({
  method: 'POST',
  path: '/feedback/distributionStatus',
  place: 'query',
  // people switch themselves, leaders also others
  access: [...by('reply'), ...by('distribute')],
  menu,
  input: Type.Object({ userId: Id(), status: Type.Integer({ minimum: 0, maximum: 1 }) }, strict),
  data: Type.Object({ userId: text, distributionOn: Type.Boolean() }),
  audit: 'distribution',
  summary: 'Switches automatic distribution on (1) or off (0)',
})

export const transferTickets = endpoint({
  method: 'POST',
  path: '/feedback/feedbackTransfer',
  access: by('transfer'),
  menu,
  /** Either a person or a department. */
  input: Type.Object(
    { feedbackIds: ids, toUserId: Type.Optional(Id()), toDepartment: Type.Optional(Id()), reason },
    strict,
  ),
  data: BulkData(),
  audit: 'transfer',
  summary:
    "Requests hand-overs, pending until the receiver or a leader decides; a leader's is approved at once",
})

export const decideTransfers = endpoint({
  method: 'POST',
  path: '/feedback/transferDecide',
  access: [...by('reply'), ...by('decide')],
  menu,
  input: Type.Object(
    {
      handoverIds: ids,
      result: OneOf(['approved', 'rejected', 'cancelled']),
      reason: Type.Optional(reason),
    },
    strict,
  ),
  data: BulkData(),
  audit: 'transferDecide',
  summary: 'Approves or rejects (receiver or leader) or cancels (requester) hand-overs',
})
