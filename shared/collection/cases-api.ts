import Type from 'typebox'
import {
  endpoint,
  Id,
  MapOf,
  Nullable,
  OneOf,
  Paise,
  Text,
  Time,
  Token,
  Version,
} from '#shared/kernel/endpoint.ts'
import { NoContactSlot } from '#shared/customers/no-contact.ts'
import { KeptFile } from '#shared/kernel/kept-file.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { PlanRow } from '#shared/orders/order-parts.ts'
import { LINK_STATES, LINK_WAYS } from '#shared/repayments/link-sets.ts'
import { PROOF_STATES } from '#shared/repayments/proof-sets.ts'
import { REDUCTION_STATES } from '#shared/repayments/reduction-sets.ts'
import { CASE_STATES, PTP_STATES } from './case-lifecycle.ts'
import {
  CASE_ENDS,
  CONTACT_DIRECTIONS,
  CONTACT_RESULTS,
  CONTACT_WAYS,
  HAND_ENDS,
  LEFT_ENDS,
  WHATSAPP_WAYS,
  WILLINGNESS,
} from './collection-sets.ts'
import { END_CAUSES, PRESS_ANSWERS } from '#shared/voice-calls/voice-call-sets.ts'
import { VoiceCallNow } from '#shared/voice-calls/voice-calls-api.ts'

/** Calls of cases. Every write of a holder carries the fencing token beside its own fields. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const reason = Text(4, 200)
const strict = { additionalProperties: false }
const oneNumber = <const Values extends readonly number[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'integer', enum: [...values] })
const list = (pattern: string) =>
  Type.Optional(Type.String({ maxLength: 400, pattern: `^${pattern}(,${pattern})*$` }))

export const CASE_TABS = ['toAllocate', 'toFollow', 'ended'] as const

const ENDED_SORTS: readonly string[] = ['caseId', 'orderId', 'endTime']
const POOL_LESS: readonly string[] = ['groupName', 'collectorName']
/**
 * Whether a tab can be sorted by a field. Ended cases are the past, read in orders that have an
 * index; cases of the pool have neither a group nor a collector.
 */
export function isCaseSort(tab: (typeof CASE_TABS)[number], field: string): boolean {
  return tab === 'ended'
    ? ENDED_SORTS.includes(field)
    : tab !== 'toAllocate' || !POOL_LESS.includes(field)
}
export const CASE_VIEWS = [
  'dueNow',
  'promisesToday',
  'broken',
  'newToday',
  'notContacted',
  'paidPartly',
] as const

export const CaseRow = Type.Object({
  caseId: text,
  orderId: text,
  userId: text,
  userName: text,
  /** Masked. */
  phone: text,
  productName: text,
  stageId: text,
  /** IST days after the due day. */
  overdueDays: int,
  amountDue: int,
  paidAmount: int,
  /** Paid today (IST), paise. */
  paidToday: int,
  outstanding: int,
  state: OneOf(CASE_STATES),
  agencyId: maybe,
  agencyName: maybe,
  departmentId: maybe,
  groupId: maybe,
  groupName: maybe,
  collectorId: maybe,
  collectorName: maybe,
  allocationTime: maybe,
  followCount: int,
  lastContactResult: Nullable(int),
  lastWillingness: Nullable(int),
  lastFollowTime: maybe,
  nextFollowTime: maybe,
  commitmentTime: maybe,
  ptpTime: maybe,
  ptpAmount: Nullable(int),
  ptpState: Nullable(OneOf(PTP_STATES)),
  brokenCount: int,
  attemptsToday: int,
  attemptsWeek: int,
  /** When the holder's first contact is due; null after it, and without a holder. */
  firstDueTime: maybe,
  /** When the borrower was informed of the agent; null = not yet. */
  intimatedAt: maybe,
  /** The agency is an outside one, so the first contact waits for the intimation. */
  needsIntimation: Type.Boolean(),
  /** Of the latest reduction requested and the latest payment proof sent in; null = none. */
  reduceState: Nullable(OneOf(REDUCTION_STATES)),
  proofState: Nullable(OneOf(PROOF_STATES)),
  holdReason: maybe,
  holdUntil: maybe,
  /**
   * One of `LEFT_ENDS` in the tab of ended cases: the row is the case as it left the caller's unit
   * and cannot be opened.
   */
  endReason: maybe,
  endTime: maybe,
  recovered: int,
  /** Empty for a case that left. */
  rbiClass: text,
  token: int,
  version: int,
})

const caseFilters = {
  caseId: Type.Optional(Id()),
  orderId: Type.Optional(Id()),
  userId: Type.Optional(Id()),
  userName: Type.Optional(Text(1, 64)),
  phone: Type.Optional(Type.String({ pattern: '^[6-9]\\d{9}$' })),
  /** Comma separated. */
  stageId: list('[A-Z]\\d'),
  state: list('[a-z]+'),
  agencyId: Type.Optional(Id()),
  departmentId: Type.Optional(Id()),
  groupId: Type.Optional(Id()),
  collectorId: Type.Optional(Id()),
  overdueFrom: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  overdueTo: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  amountFrom: Type.Optional(Paise({ minimum: 0 })),
  amountTo: Type.Optional(Paise({ minimum: 0 })),
  ptpState: list('[A-Za-z]+'),
  ptpTimeFrom: Type.Optional(Time()),
  ptpTimeTo: Type.Optional(Time()),
  nextFollowFrom: Type.Optional(Time()),
  nextFollowTo: Type.Optional(Time()),
  contactResult: list('\\d'),
  willingness: list('\\d'),
  neverContacted: Type.Optional(Type.Boolean()),
  reduceState: Type.Optional(OneOf(REDUCTION_STATES)),
  proofState: Type.Optional(OneOf(PROOF_STATES)),
  endReason: Type.Optional(OneOf([...CASE_ENDS, ...LEFT_ENDS])),
  allocationTimeFrom: Type.Optional(Time()),
  allocationTimeTo: Type.Optional(Time()),
  endTimeFrom: Type.Optional(Time()),
  endTimeTo: Type.Optional(Time()),
  view: Type.Optional(OneOf(CASE_VIEWS)),
}

export const listCases = endpoint({
  method: 'GET',
  path: '/collection/case/list',
  exports: [
    { code: 'pedding_list:export', when: { tab: ['toAllocate', 'toFollow'] } },
    { code: 'peded_list:export', when: { tab: ['ended'] } },
  ],
  file: { path: '/export/collection/task', when: { tab: ['toAllocate', 'toFollow', 'ended'] } },
  // permission by tab: toAllocate needs pedding_list:allocate, toFollow pedding_list:view, ended
  // peded_list:view
  access: ['pedding_list:view', 'peded_list:view'],
  menu: 'pedding_list',
  input: ListInput({ tab: OneOf(CASE_TABS), ...caseFilters }),
  data: Type.Object({
    ...ListData(CaseRow).properties,
    /** Null where the total is capped: ended cases are not summed up. */
    totals: Nullable(Type.Object({ cases: int, outstanding: int })),
    /** Open cases of the caller's scope per stage, regardless of filters: the chips. */
    stages: Type.Array(Type.Object({ stageId: text, cases: int, outstanding: int })),
  }),
  summary: 'Cases of a tab: pool, work queue, ended',
})

/** The collector's day: the own cases, or those of the scope. */
export const deskFigures = endpoint({
  method: 'GET',
  path: '/collection/desk/figures',
  access: ['pedding_list:view'],
  menu: 'pedding_list',
  input: Type.Object({}),
  data: Type.Object({
    /** To follow up: allocated or promised, as in the list below. */
    open: int,
    dueNow: int,
    ptpToday: int,
    ptpTodayAmount: int,
    recoveredToday: int,
    /** Cases of today, those that ended today included; the board counts the same. */
    had: int,
    /** Of these, contacted today. */
    contacted: int,
    broken: int,
    notContacted: int,
    newToday: int,
    paidPartly: int,
    nextFollowTime: maybe,
    callFrom: text,
    callTo: text,
    /** How the caller writes by WhatsApp. */
    whatsapp: OneOf(WHATSAPP_WAYS),
    asOf: text,
  }),
  summary: 'Figures above the work list',
})

const ONE_ID = '[A-Za-z0-9._:-]{1,64}'
/** Ids of one question, so that it fits an address. */
export const CONTACTABLE_MAX = 100

/** The row does not carry the time of the next permitted contact: it follows from many facts. */
export const firstContactable = endpoint({
  method: 'GET',
  path: '/collection/case/contactable',
  access: ['pedding_list:view'],
  menu: 'pedding_list',
  input: Type.Object({
    /** Comma separated, in the order to be worked. */
    caseIds: Type.String({
      pattern: `^${ONE_ID}(,${ONE_ID}){0,${CONTACTABLE_MAX - 1}}$`,
    }),
  }),
  data: Type.Object({
    /** The first whose borrower may be contacted now; outside the hours the first that waits for them. */
    caseId: maybe,
    /** Without one: when the first of them may be contacted, where a time can be named. */
    openTime: maybe,
  }),
  summary: 'The first of some open cases that may be contacted now',
})

export const FollowRow = Type.Object({
  followId: text,
  caseId: text,
  orderId: text,
  userId: text,
  userName: text,
  agencyId: maybe,
  agencyName: maybe,
  stageId: text,
  relation: text,
  direction: OneOf(CONTACT_DIRECTIONS),
  contactWay: OneOf(CONTACT_WAYS),
  contactNumber: maybe,
  reachable: Type.Boolean(),
  contactResult: int,
  willingness: Nullable(int),
  allocationTime: maybe,
  commitmentTime: maybe,
  nextFollowTime: text,
  ptpTime: maybe,
  ptpAmount: Nullable(int),
  remark: text,
  operatorId: text,
  operatorName: text,
  createTime: text,
  callId: maybe,
  durationSec: Nullable(int),
  /** Why the call ended, by its exchange. */
  endCause: Nullable(OneOf(END_CAUSES)),
})

export const CaseNote = Type.Object({
  noteId: text,
  remark: text,
  operatorId: text,
  operatorName: text,
  createTime: text,
})

export const StopRow = Type.Object({
  stopId: text,
  userId: text,
  userName: text,
  orderIds: Type.Array(text),
  reason: text,
  ticketId: maybe,
  proofId: maybe,
  startTime: text,
  endTime: maybe,
  state: text,
  applyBy: text,
  applyById: maybe,
  decideBy: maybe,
  remark: text,
  files: Type.Array(KeptFile),
  version: int,
})

export const caseDetail = endpoint({
  method: 'GET',
  path: '/collection/case/detail',
  access: ['pedding_list:view', 'peded_list:view'],
  menu: 'pedding_list',
  input: Type.Object({ caseId: Id() }),
  data: Type.Object({
    case: CaseRow,
    customer: Type.Object({
      userId: text,
      name: text,
      phone: text,
      language: maybe,
      company: maybe,
      city: maybe,
      postcode: maybe,
    }),
    order: Type.Object({
      orderId: text,
      status: int,
      amount: int,
      contractAmount: int,
      outstanding: int,
      dueTime: maybe,
      disburseTime: maybe,
      term: int,
      tags: Type.Array(text),
      version: int,
    }),
    otherOrders: Type.Array(
      Type.Object({ orderId: text, status: int, amount: int, outstanding: int, overdueDays: int }),
    ),
    plans: Type.Array(PlanRow),
    payments: Type.Array(
      Type.Object({
        recordId: text,
        amount: int,
        payTime: text,
        channel: int,
        payState: text,
        reversed: Type.Boolean(),
      }),
    ),
    /** Payment links sent for the order, newest first. */
    links: Type.Array(
      Type.Object({
        linkId: text,
        amount: int,
        way: OneOf(LINK_WAYS),
        state: OneOf(LINK_STATES),
        sentBy: maybe,
        createTime: text,
        expireTime: text,
      }),
    ),
    reductions: Type.Array(
      Type.Object({
        reduceId: text,
        reduceAmount: int,
        payAmount: int,
        validUntil: maybe,
        state: OneOf(REDUCTION_STATES),
        launchBy: maybe,
        launchTime: text,
      }),
    ),
    follows: Type.Array(FollowRow),
    notes: Type.Array(CaseNote),
    /** The borrower's newest contact that counts towards the limits, recorded or not. */
    lastAttempt: Nullable(
      Type.Object({
        time: text,
        way: OneOf(CONTACT_WAYS),
        byRobot: Type.Boolean(),
        /** Null also where the caller may not see the name. */
        by: maybe,
      }),
    ),
    /** The caller's latest call on this case while its result is not recorded. */
    openCall: Nullable(
      Type.Object({
        callId: text,
        way: OneOf(['phone', 'whatsapp']),
        contactId: text,
        startTime: text,
        /** Null: no exchange rings it, the caller dials. */
        exchange: Nullable(VoiceCallNow),
      }),
    ),
    moves: Type.Array(
      Type.Object({
        time: text,
        cause: text,
        from: maybe,
        to: maybe,
        fromStage: maybe,
        toStage: maybe,
        reason: maybe,
        by: maybe,
      }),
    ),
    stops: Type.Array(StopRow),
    tickets: Type.Array(
      Type.Object({ feedbackId: text, type: int, progress: text, createTime: text }),
    ),
    /**
     * How the caller writes by WhatsApp: from their business line, by a link that reveals the
     * number, or not at all.
     */
    whatsapp: OneOf(WHATSAPP_WAYS),
    /** The caller's line while it carries as many calls as it can; null = it has one left. */
    busyLine: Nullable(Type.Object({ number: text, n: int, freeTime: text })),
    /** Lifecycle events the caller may send now. */
    allowed: Type.Array(text),
    /**
     * The contact gate's answer now: null = contact is possible, else problem id and parameters.
     */
    gate: Nullable(
      Type.Object({ id: text, params: MapOf(Type.Union([text, Type.Number()])), openTime: maybe }),
    ),
    /**
     * The facts behind that answer, so that an open screen can evaluate the gate by its own clock.
     */
    gateFacts: Type.Object({
      callFrom: text,
      callTo: text,
      microfinance: Type.Boolean(),
      noContact: Type.Array(NoContactSlot),
      holidays: Type.Array(Type.Object({ day: text, name: text })),
      stopped: Type.Boolean(),
      stoppedUntil: maybe,
      needsIntimation: Type.Boolean(),
      intimatedAt: maybe,
      attemptsToday: int,
      attemptsWeek: int,
      perDay: int,
      perWeek: int,
      gapMinutes: int,
      lastAttemptTime: maybe,
      referencesAllowed: Type.Boolean(),
    }),
    /** Words that make a remark ask for confirmation (`harshWordsIn`). */
    harshWords: Type.Array(text),
    limits: Type.Object({
      perDay: int,
      perWeek: int,
      gapMinutes: int,
      ptpMaxDays: int,
      ptpMaxBroken: int,
    }),
  }),
  summary: 'One case with everything needed to make one contact and record it',
})

export const caseContacts = endpoint({
  method: 'GET',
  path: '/collection/case/contacts',
  access: ['pedding_list:contacts'],
  menu: 'pedding_list',
  input: Type.Object({ caseId: Id() }),
  data: Type.Array(
    Type.Object({
      contactId: text,
      relation: text,
      name: text,
      phone: text,
      callable: Type.Boolean(),
    }),
  ),
  audit: 'contacts',
  summary: 'Who may be contacted on a case, the borrower first; each look is logged',
})

export const callBorrower = endpoint({
  method: 'POST',
  path: '/collection/case/call',
  access: ['pedding_list:call'],
  menu: 'pedding_list',
  input: Type.Object({ caseId: Id(), contactId: Id(), way: OneOf(['phone', 'whatsapp']) }, strict),
  data: Type.Object({
    callId: text,
    seatNumber: maybe,
    link: maybe,
    /** Null: the app has no exchange, the caller dials. */
    exchange: Nullable(OneOf(PRESS_ANSWERS)),
  }),
  audit: 'call',
  // takes no idempotency key: the stored answer would contain the number. A repeated click within a
  // minute is the same call.
  summary: 'Starts a call through the extension, or a WhatsApp message, within the contact rules',
})

export const followCase = endpoint({
  method: 'POST',
  path: '/collection/case/follow',
  access: ['pedding_list:follow'],
  menu: 'pedding_list',
  input: Type.Object(
    {
      caseId: Id(),
      version: Version(),
      token: Token(),
      /** Absent = `out`. The contact rules do not apply to `in`. */
      direction: Type.Optional(OneOf(CONTACT_DIRECTIONS)),
      contactWay: OneOf(CONTACT_WAYS),
      /** Id of the contact; the number itself is never sent. */
      contactId: Id(),
      contactResult: oneNumber(CONTACT_RESULTS),
      willingness: Type.Optional(Nullable(oneNumber(WILLINGNESS))),
      commitmentTime: Type.Optional(Nullable(Time())),
      nextFollowTime: Time(),
      ptpTime: Type.Optional(Nullable(Time())),
      ptpAmount: Type.Optional(Nullable(Paise({ minimum: 1 }))),
      remark: Text(1, 500),
      callId: Type.Optional(Nullable(Id())),
      /** The harsh words in the remark quote the borrower, not the collector. */
      asSaid: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  data: Type.Object({ follow: FollowRow, case: CaseRow }),
  audit: 'follow',
  idempotency: 'required',
  summary: 'Records a contact; with a promise the case becomes promised',
})

export const noteCase = endpoint({
  method: 'POST',
  path: '/collection/case/note',
  access: ['pedding_list:follow'],
  menu: 'pedding_list',
  input: Type.Object(
    {
      caseId: Id(),
      token: Token(),
      remark: Text(1, 500),
      /** As in `followCase`. */
      asSaid: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  data: CaseNote,
  audit: 'note',
  idempotency: 'required',
  summary: 'Adds a note to a case; it does not count as a contact',
})

export const listFollows = endpoint({
  method: 'GET',
  path: '/collection/case/follow/list',
  exports: [{ code: 'peded_list:export' }],
  file: { path: '/export/collection/task', when: { tab: ['follow'] } },
  access: ['pedding_list:view', 'peded_list:view'],
  menu: 'peded_list',
  input: ListInput({
    caseId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    collectorId: Type.Optional(Id()),
    agencyId: Type.Optional(Id()),
    stageId: list('[A-Z]\\d'),
    contactResult: list('\\d'),
    willingness: list('\\d'),
    createTimeFrom: Type.Optional(Time()),
    createTimeTo: Type.Optional(Time()),
  }),
  data: ListData(FollowRow),
  summary: 'Follow-up records',
})

export const allocateCases = endpoint({
  method: 'POST',
  path: '/collection/case/allocate',
  access: ['pedding_list:allocate'],
  menu: 'pedding_list',
  input: Type.Object(
    {
      caseIds: Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }),
      collectorId: Type.Optional(Id()),
      agencyId: Type.Optional(Id()),
      departmentId: Type.Optional(Id()),
      reason: Type.Optional(reason),
    },
    strict,
  ),
  data: BulkData(),
  audit: 'allocate',
  idempotency: 'required',
  summary: 'Assigns cases to a collector, or places them with an agency or one of its departments',
})

export const recallCases = endpoint({
  method: 'POST',
  path: '/collection/case/recall',
  access: ['pedding_list:recall'],
  menu: 'pedding_list',
  input: Type.Object(
    { caseIds: Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }), reason },
    strict,
  ),
  data: BulkData(),
  audit: 'recall',
  idempotency: 'required',
  summary: 'Recalls allocated cases into the pool',
})

export const endCase = endpoint({
  method: 'POST',
  path: '/collection/case/end',
  access: ['pedding_list:end'],
  menu: 'pedding_list',
  input: Type.Object(
    { caseId: Id(), version: Version(), endReason: OneOf(HAND_ENDS), remark: Text(4, 500) },
    strict,
  ),
  data: CaseRow,
  audit: 'end',
  idempotency: 'required',
  summary: 'Ends a case by hand: held without an end date, hidden from work lists',
})

export const revealPhone = endpoint({
  method: 'POST',
  path: '/collection/case/reveal',
  access: ['pedding_list:reveal', 'peded_list:reveal'],
  menu: 'pedding_list',
  input: Type.Object({ caseId: Id(), reason }, strict),
  data: Type.Object({ value: text, seconds: int }),
  audit: 'reveal',
  summary: "Shows the borrower's phone for a minute; logged with its reason",
})
