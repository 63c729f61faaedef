/** Endpoints of reviews. Every write by a holder also carries the fencing token. */
import { CHECK_KINDS } from '#shared/vendors/vendor-kinds.ts'
import Type from 'typebox'
import { UNKNOWN_CAUSES } from '#shared/conditions/evaluate-condition.ts'
import {
  endpoint,
  Id,
  MapOf,
  Nullable,
  OneOf,
  Text,
  Time,
  Token,
  Version,
} from '#shared/kernel/endpoint.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { QUALITY_STATES } from './quality-lifecycle.ts'
import { QUALITY_CLASSES, REJECT_CODES } from './reject-reasons.ts'
import { REVIEW_DEMANDS } from './review-demands.ts'
import { REVIEW_STATES } from './review-lifecycle.ts'
import { TELE_STATES } from './tele-lifecycle.ts'
import { CustomerSections } from '#shared/customers/customer-sections.ts'

const text = Type.String()
const maybe = Nullable(text)
const reason = Text(4, 200)
const version = Version()
const token = Token()
const strict = { additionalProperties: false }

export const REVIEW_TABS = ['queue', 'mine', 'all', 'handover', 'quality'] as const
/**
 * What a tab is sorted by. Two hold all reviews there ever were: only by what an index answers,
 * because by anything else each look would read all of them. Absent: by every column.
 */
export const TAB_SORTS: Partial<Record<(typeof REVIEW_TABS)[number], readonly string[]>> = {
  all: ['reviewId', 'queuedTime', 'finishTime'],
  quality: ['reviewId', 'queuedTime', 'finishTime'],
}

export const ReviewRow = Type.Object({
  reviewId: text,
  orderId: text,
  userId: text,
  userName: text,
  customerClass: text,
  amount: Type.Integer(),
  state: OneOf(REVIEW_STATES),
  machineId: maybe,
  machineState: maybe,
  machineTime: maybe,
  machineIntervalSec: Nullable(Type.Integer()),
  needManual: Type.Boolean(),
  manualId: maybe,
  manualResult: maybe,
  reviewerId: maybe,
  reviewerName: maybe,
  /** Who escalated or first decided it; they continue to see it. */
  firstReviewerId: maybe,
  rejectCode: maybe,
  teleCallState: OneOf(TELE_STATES),
  preRejectCode: maybe,
  quotaReject: Type.Boolean(),
  bindState: maybe,
  nameSimilarity: Nullable(Type.Integer()),
  quality: OneOf(QUALITY_STATES),
  qualityCode: maybe,
  qualityClass: maybe,
  appealState: maybe,
  handoverState: maybe,
  /** Pending hand-over of this item, visible to receiver and requester. */
  handoverId: maybe,
  handoverFrom: maybe,
  handoverTo: maybe,
  handoverToId: maybe,
  handoverReason: maybe,
  leaseUntil: maybe,
  token: Type.Integer(),
  queuedTime: maybe,
  claimTime: maybe,
  finishTime: maybe,
  priority: Type.Integer(),
  version: Type.Integer(),
})

export const listReviews = endpoint({
  method: 'GET',
  path: '/review/list',
  exports: [{ code: 'review_list:export' }],
  file: { path: '/export/list/reviewExport' },
  access: ['review_list:view'],
  menu: 'review_list',
  input: ListInput({
    tab: OneOf(REVIEW_TABS),
    reviewId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    userId: Type.Optional(Id()),
    userName: Type.Optional(Text(1, 64)),
    /** Comma separated. */
    state: Type.Optional(Type.String({ maxLength: 200, pattern: '^[A-Za-z]+(,[A-Za-z]+)*$' })),
    machineState: Type.Optional(Text(1, 32)),
    rejectCode: Type.Optional(OneOf(REJECT_CODES)),
    reviewerId: Type.Optional(Id()),
    quality: Type.Optional(OneOf(QUALITY_STATES)),
    teleCallState: Type.Optional(OneOf(TELE_STATES)),
    demand: Type.Optional(OneOf(REVIEW_DEMANDS)),
    queuedTimeFrom: Type.Optional(Time()),
    queuedTimeTo: Type.Optional(Time()),
    finishTimeFrom: Type.Optional(Time()),
    finishTimeTo: Type.Optional(Time()),
    /** What a person decided; the machine's answer is `machineState`. */
    result: Type.Optional(OneOf(['passed', 'failed'])),
    decidedTimeFrom: Type.Optional(Time()),
    decidedTimeTo: Type.Optional(Time()),
    /** What a failed quality check found. */
    qualityClass: Type.Optional(OneOf(QUALITY_CLASSES)),
    checkedTimeFrom: Type.Optional(Time()),
    checkedTimeTo: Type.Optional(Time()),
  }),
  data: Type.Object({
    ...ListData(ReviewRow).properties,
    counts: Type.Object({
      queue: Type.Integer(),
      mine: Type.Integer(),
      handover: Type.Integer(),
      quality: Type.Integer(),
    }),
    stats: Type.Object({
      waiting: Type.Integer(),
      oldestTime: maybe,
      held: Type.Integer(),
      reviewersOnline: Type.Integer(),
      doneToday: Type.Integer(),
      averageSec: Nullable(Type.Integer()),
      lastArrivalTime: maybe,
      maxClaimed: Type.Integer(),
    }),
  }),
  summary: 'Reviews of a tab: queue, mine, all, hand-over, quality',
})

const HistoryStep = Type.Object({
  time: text,
  event: text,
  from: maybe,
  to: text,
  by: maybe,
  note: maybe,
})

export const reviewDetail = endpoint({
  method: 'GET',
  path: '/review/detail',
  access: ['review_list:view'],
  menu: 'review_list',
  input: Type.Object({ reviewId: Id() }),
  data: Type.Object({
    review: Type.Object({
      ...ReviewRow.properties,
      remark: maybe,
      checklist: Nullable(MapOf(Type.Boolean())),
      teleAnswers: Nullable(MapOf(text)),
      teleAttempts: Type.Integer(),
      dataItems: Nullable(Type.Array(text)),
      dataMessage: maybe,
      dataUntil: maybe,
      qualityBy: maybe,
      qualityById: maybe,
      qualityRemark: maybe,
      qualityTime: maybe,
      appealReason: maybe,
      appealDecideReason: maybe,
      openTime: maybe,
      retryCount: Type.Integer(),
      /** What must be done before a pass. */
      demands: Type.Array(OneOf(REVIEW_DEMANDS)),
    }),
    order: Type.Object({
      orderId: text,
      status: Type.Integer(),
      amount: Type.Integer(),
      tenureDays: Type.Integer(),
      /** Instalments. */
      term: Type.Integer(),
      isEmi: Type.Boolean(),
      tags: Type.Array(text),
      productName: text,
      createTime: text,
      version: Type.Integer(),
    }),
    customer: CustomerSections,
    /** Answers about the applicant; empty for callers who see no identities. */
    checks: Type.Array(
      Type.Object({
        kind: OneOf(CHECK_KINDS),
        state: OneOf(['due', 'done', 'failed']),
        vendorName: maybe,
        time: text,
        identity: Nullable(Type.Object({ panValid: Type.Boolean(), nameMatch: Type.Integer() })),
        bureau: Nullable(
          Type.Object({
            score: Nullable(Type.Integer()),
            openLoans: Type.Integer(),
            overdueAmount: Type.Integer(),
          }),
        ),
      }),
    ),
    machine: Nullable(
      Type.Object({
        score: Nullable(Type.Integer()),
        limit: Nullable(Type.Integer()),
        rules: Type.Array(
          Type.Object({
            code: text,
            name: text,
            hit: Type.Boolean(),
            output: maybe,
            notEvaluated: Type.Optional(OneOf(UNKNOWN_CAUSES)),
          }),
        ),
      }),
    ),
    history: Type.Array(HistoryStep),
    previous: Type.Array(
      Type.Object({
        reviewId: text,
        orderId: text,
        state: text,
        manualResult: maybe,
        rejectCode: maybe,
        reviewerName: maybe,
        finishTime: maybe,
      }),
    ),
    /** Lifecycle events the caller may send now. */
    allowed: Type.Array(text),
    nameSimilarityMin: Type.Integer(),
    targetSeconds: Type.Integer(),
    idleSeconds: Type.Integer(),
  }),
  summary: 'One review with everything the desk needs to decide it',
})

export const reviewReasons = endpoint({
  method: 'GET',
  path: '/review/reasons',
  access: ['review_list:view'],
  menu: 'review_list',
  input: Type.Object({ kind: OneOf(['reject', 'quality']) }),
  data: Type.Array(Type.Object({ code: text, class: text, labelKey: text })),
  summary: 'Reject reasons or quality codes',
})

export const reviewColleagues = endpoint({
  method: 'GET',
  path: '/review/colleagues',
  access: ['review_list:handover', 'review_list:assign', 'review_list:takeOver'],
  menu: 'review_list',
  input: Type.Object({}),
  data: Type.Array(
    Type.Object({
      userId: text,
      userName: text,
      account: text,
      online: Type.Boolean(),
      held: Type.Integer(),
      capacity: Type.Integer(),
    }),
  ),
  summary: 'Reviewers on duty who may receive an item, with the number of their claims',
})

export const listReviewers = endpoint({
  method: 'GET',
  path: '/review/reviewers',
  access: ['review_list:view'],
  menu: 'review_list',
  input: Type.Object({}),
  data: Type.Array(Type.Object({ userId: text, userName: text })),
  summary: 'Who reviews or has reviewed, on duty or not: for the filter of the list',
})

export const claimReviews = endpoint({
  method: 'POST',
  path: '/review/claim',
  access: ['review_list:claim'],
  menu: 'review_list',
  input: Type.Object(
    {
      reviewIds: Type.Optional(Type.Array(Id(), { minItems: 1, maxItems: 10 })),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    },
    strict,
  ),
  data: Type.Object({ ok: Type.Array(ReviewRow), failed: BulkData().properties.failed }),
  audit: 'claim',
  summary: 'Claims the named reviews, or the next `count` by priority and age',
})

export const assignReviews = endpoint({
  method: 'POST',
  path: '/review/assign',
  access: ['review_list:assign'],
  menu: 'review_list',
  input: Type.Object(
    { reviewIds: Type.Array(Id(), { maxItems: BULK_MAX }), reviewerId: Id() },
    strict,
  ),
  data: BulkData(),
  audit: 'assign',
  summary: 'Assigns unclaimed reviews to a reviewer on duty with capacity',
})

export const takeOverReview = endpoint({
  method: 'POST',
  path: '/review/takeOver',
  access: ['review_list:takeOver'],
  menu: 'review_list',
  input: Type.Object({ reviewId: Id(), version, reason }, strict),
  data: ReviewRow,
  audit: 'takeOver',
  summary: 'A leader takes a review under review; the former holder is notified',
})

export const openReview = endpoint({
  method: 'POST',
  path: '/review/open',
  access: ['review_list:decide', 'review_list:takeOver'],
  menu: 'review_list',
  input: Type.Object({ reviewId: Id(), version, token }, strict),
  data: ReviewRow,
  audit: 'open',
  summary: 'The holder opens a claim: toAudit becomes underReview',
})

export const renewReview = endpoint({
  method: 'POST',
  path: '/review/renew',
  access: ['review_list:claim', 'review_list:takeOver'],
  menu: 'review_list',
  input: Type.Object({ reviewId: Id(), token, lastInputTime: Time() }, strict),
  data: Type.Object({ leaseUntil: text, idleUntil: text, liveUntil: text }),
  passive: true,
  summary: 'Heartbeat of the holder, each 30 s from a visible tab',
})

export const releaseReviews = endpoint({
  method: 'POST',
  path: '/review/release',
  access: ['review_list:claim', 'review_list:takeOver'],
  menu: 'review_list',
  input: Type.Object(
    { reviewIds: Type.Array(Id(), { maxItems: BULK_MAX }), reason, token: Type.Optional(token) },
    strict,
  ),
  data: BulkData(),
  audit: 'release',
  summary: 'The holder releases claims to the queue',
})

export const decideReview = endpoint({
  method: 'POST',
  path: '/review/decide',
  access: ['review_list:decide', 'review_list:check'],
  menu: 'review_list',
  input: Type.Object(
    {
      reviewId: Id(),
      version,
      token,
      result: OneOf(['passed', 'failed']),
      rejectCode: Type.Optional(OneOf(REJECT_CODES)),
      remark: Type.Optional(Text(0, 500)),
      checklist: Type.Optional(MapOf(Type.Boolean(), { keys: '^[A-Za-z]+$', maxProperties: 20 })),
    },
    strict,
  ),
  data: ReviewRow,
  audit: 'decide',
  idempotency: 'required',
  summary: 'Passes or fails a review under review (its holder) or in manual check (a leader)',
})

export const undoDecision = endpoint({
  method: 'POST',
  path: '/review/undo',
  access: ['review_list:decide'],
  menu: 'review_list',
  input: Type.Object({ reviewId: Id(), version, token }, strict),
  data: ReviewRow,
  audit: 'undoDecision',
  idempotency: 'required',
  summary: 'Takes the own decision back within review.undoSeconds; the claim begins again',
})

export const escalateReview = endpoint({
  method: 'POST',
  path: '/review/escalate',
  access: ['review_list:escalate'],
  menu: 'review_list',
  input: Type.Object({ reviewId: Id(), version, token, reason }, strict),
  data: ReviewRow,
  audit: 'escalate',
  summary: 'Sends a review to the second level (manual check)',
})

export const retryReview = endpoint({
  method: 'POST',
  path: '/review/retry',
  access: ['review_list:retry'],
  menu: 'review_list',
  input: Type.Object(
    {
      reviewId: Id(),
      version,
      to: OneOf(['initial', 'unclaimed']),
      remark: Type.Optional(Text(0, 500)),
    },
    strict,
  ),
  data: ReviewRow,
  audit: 'retry',
  summary:
    'An abnormal review: the machine runs again, or it goes to people once retries are spent',
})

export const DATA_ITEMS = [
  'livePhoto',
  'panPhoto',
  'aadhaarFront',
  'aadhaarBack',
  'bankCard',
  'contacts',
  'address',
] as const

export const askCustomer = endpoint({
  method: 'POST',
  path: '/review/askCustomer',
  access: ['review_list:ask'],
  menu: 'review_list',
  input: Type.Object(
    {
      reviewId: Id(),
      version,
      token,
      items: Type.Array(OneOf(DATA_ITEMS), { minItems: 1, maxItems: 7, uniqueItems: true }),
      message: Text(4, 500),
    },
    strict,
  ),
  data: ReviewRow,
  audit: 'askCustomer',
  summary: 'Asks the customer for data; the claim ends until it arrives',
})

export const teleReview = endpoint({
  method: 'POST',
  path: '/review/tele',
  access: ['review_list:tele'],
  menu: 'review_list',
  input: Type.Object(
    {
      reviewId: Id(),
      token,
      callState: OneOf(['executing', 'connected', 'notConnected']),
      contactResult: Type.Optional(Type.Integer({ minimum: 3, maximum: 6 })),
      answers: Type.Optional(MapOf(Text(0, 300), { keys: '^[A-Za-z]+$', maxProperties: 20 })),
      remark: Type.Optional(Text(0, 500)),
      borrowerAgreed: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  data: ReviewRow,
  audit: 'tele',
  summary: 'Tele-verification: dial, connected with answers, not connected with the contact result',
})
