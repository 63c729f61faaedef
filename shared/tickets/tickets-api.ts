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
import { HANDOVER_STATES } from '#shared/review/handover-lifecycle.ts'
import { FOLLOW_STATES } from './follow-lifecycle.ts'
import { PROGRESS_STATES } from './ticket-lifecycle.ts'
import {
  STATEMENT_GROUPS,
  STEP_KINDS,
  TICKET_QUEUES,
  TICKET_TABS,
  TICKET_TYPES,
} from './ticket-sets.ts'

/** Calls of the feedback tickets (api.md 7). A ticket's own queue decides which menu's codes count (`mayTicket`). */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const reason = Text(4, 200)
const version = Version()
const strict = { additionalProperties: false }
const menu = 'user_feedback'
// an integer by its kind, too: in a form it comes as a text
const type = Type.Unsafe<(typeof TICKET_TYPES)[number]>(Type.Integer({ enum: [...TICKET_TYPES] }))
const ids = Type.Array(Id(), { maxItems: BULK_MAX, uniqueItems: true })
const list = (pattern: string) =>
  Type.Optional(Type.String({ maxLength: 400, pattern: `^${pattern}(,${pattern})*$` }))

/** The menus a ticket may be reached by, with the action. */
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
  /** That came with the content. */
  files: Type.Array(KeptFile),
  contactWay: OneOf(CONTACT_WAYS),
  queue: OneOf(TICKET_QUEUES),
  /** Unit it stands in: of the customer's case at first, then where it was handed over to. */
  department: maybe,
  departmentName: maybe,
  processorId: maybe,
  processorName: maybe,
  /** Collector the complaint is about: he never sees the ticket. */
  aboutId: maybe,
  aboutName: maybe,
  progress: OneOf(PROGRESS_STATES),
  followState: OneOf(FOLLOW_STATES),
  /** Of the newest hand-over. */
  handoverState: Nullable(OneOf(HANDOVER_STATES)),
  /** The pending hand-over, for its receiver and requester. */
  handoverId: maybe,
  handoverById: maybe,
  handoverFrom: maybe,
  handoverTo: maybe,
  handoverToId: maybe,
  /** Id of the department it is offered to, when not to a person. */
  handoverToDepartment: maybe,
  handoverReason: maybe,
  handoverUntil: maybe,
  /** 0 to 3. */
  level: int,
  createTime: text,
  firstReplyTime: maybe,
  /** Of the first reply while there is none, then of the answer. */
  dueTime: text,
  /** When the present clock began: creation, or the first reply. */
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
  /** The case is held because of this ticket, or for another reason. */
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
    /** queue = not finished; mine = the caller's, not finished; handover = a hand-over is pending for or from the caller, or in what he leads; absent = all. */
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
    /** Past its due time and not finished. */
    overdue: Type.Optional(Type.Boolean()),
    /** Not finished, and its due time comes within the hour. */
    dueSoon: Type.Optional(Type.Boolean()),
    /** Post-loan queue: of the customer's open case. */
    stageId: list('[A-Z]\\d'),
    agencyId: Type.Optional(Id()),
    collectorId: Type.Optional(Id()),
  }),
  data: Type.Object({
    ...ListData(TicketRow).properties,
    /** Of the queue asked (or both) inside the caller's scope, other filters left aside. `queue` = not finished, `waiting` = unprocessed. */
    counts: Type.Object({
      queue: int,
      waiting: int,
      mine: int,
      handover: int,
      missed: int,
      dueSoon: int,
    }),
    stats: Type.Object({
      /** People on duty who take tickets of the queue now. */
      takers: int,
      maxClaimed: int,
      /** Whether the caller takes automatic distribution; null = he serves no queue. */
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
    /** What the caller may do with a pending hand-over: decide it, or withdraw his own. */
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
  summary: 'What happened to a ticket, oldest first',
})

export const ticketFile = endpoint({
  method: 'GET',
  path: '/feedback/file',
  access: view,
  menu,
  input: Type.Object({ feedbackId: Id(), fileId: Id() }),
  // a file answer, no envelope: a picture under its watermark, a PDF to be saved
  data: Type.Unknown(),
  audit: 'ticketFile',
  summary: 'A file of a ticket, for who sees the ticket; each opening logged',
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
  summary: "A new ticket; collection and complaint hold the customer's case until it ends",
})

export const claimTicket = endpoint({
  method: 'POST',
  path: '/feedback/claim',
  access: by('reply'),
  menu,
  input: Type.Object({ feedbackId: Id(), version }, strict),
  data: TicketRow,
  audit: 'claim',
  summary: 'Takes an unprocessed ticket; the lease begins',
})

export const assignTickets = endpoint({
  method: 'POST',
  path: '/feedback/assign',
  access: by('distribute'),
  menu,
  input: Type.Object({ feedbackIds: ids, toUserId: Id() }, strict),
  data: BulkData(),
  audit: 'assign',
  summary: 'Gives unprocessed tickets to somebody on duty',
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
    'Heartbeat of the processor until the first reply, each 30 s from a visible tab; null when no lease is needed any more',
})

export const releaseTicket = endpoint({
  method: 'POST',
  path: '/feedback/release',
  access: [...by('reply'), ...by('distribute')],
  menu,
  input: Type.Object({ feedbackId: Id(), version, reason }, strict),
  data: TicketRow,
  audit: 'release',
  summary: 'The processor or a leader gives a ticket back to the queue',
})

export const reopenTicket = endpoint({
  method: 'POST',
  path: '/feedback/reopen',
  access: by('reopen'),
  menu,
  input: Type.Object({ feedbackId: Id(), version, reason }, strict),
  data: TicketRow,
  audit: 'reopen',
  summary: 'A finished ticket goes on; a grievance holds the case again',
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
  summary: 'The processor answers the customer, or notes something for colleagues (internal)',
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
    'Ends a ticket with the resolution told to the customer; a grievance lets go of the case',
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
    /** Leaves out whom the ticket is about. */ feedbackId: Type.Optional(Id()),
  }),
  data: Type.Array(
    Type.Object({
      userId: text,
      userName: text,
      account: text,
      department: maybe,
      departmentName: maybe,
      online: Type.Boolean(),
      /** May be given tickets: enabled and taking work. */
      onDuty: Type.Boolean(),
      openCount: int,
      capacity: int,
      distributionOn: Type.Boolean(),
    }),
  ),
  summary: 'People who serve a queue and whom the caller may give tickets to',
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
    /** Of the tickets created on the IST days of the range; created = finished + open. Averages over those that have the figure. */
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
  summary: 'One level up: the head of the department is told and the target tightens',
})

export const setDistribution = endpoint({
  method: 'POST',
  path: '/feedback/distributionStatus',
  place: 'query',
  // a processor switches himself, a leader others
  access: [...by('reply'), ...by('distribute')],
  menu,
  input: Type.Object({ userId: Id(), status: Type.Integer({ minimum: 0, maximum: 1 }) }, strict),
  data: Type.Object({ userId: text, distributionOn: Type.Boolean() }),
  audit: 'distribution',
  summary: 'Takes (1) or skips (0) automatic distribution',
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
    'Hands tickets over: pending until the receiver or a leader decides; by a leader at once',
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
  summary: 'The receiver or a leader approves or rejects, the requester withdraws',
})
