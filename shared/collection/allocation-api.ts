import Type from 'typebox'
import {
  type DataOf,
  endpoint,
  Id,
  Nullable,
  OneOf,
  Paise,
  Text,
  Time,
  Version,
} from '#shared/kernel/endpoint.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import {
  ALLOCATION_MODES,
  CHANGE_STATES,
  MOVE_CAUSES,
  RUN_STATES,
  SKIP_REASONS,
  TRANSFER_TYPES,
} from './collection-sets.ts'

/** The allocation desk, its runs, and moves of cases between people and units. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const reason = Text(4, 200)
const strict = { additionalProperties: false }
const stageIds = Type.Array(Id({ maxLength: 8 }), { minItems: 1, maxItems: 20, uniqueItems: true })
const scope = OneOf(['unallocated', 'all'])

/** A line of the tree: what a collector has and would get. Amounts in paise. */
export const PlanLine = Type.Object({
  agencyId: text,
  agencyName: text,
  departmentId: maybe,
  departmentName: maybe,
  groupId: maybe,
  groupName: maybe,
  collectorId: text,
  collectorName: text,
  weight: int,
  capacity: int,
  onDuty: Type.Boolean(),
  stageIds: Type.Array(text),
  now: int,
  nowAmount: int,
  gets: int,
  after: int,
  amountAfter: int,
  flags: Type.Array(OneOf(SKIP_REASONS)),
})

export const StagePick = Type.Object(
  {
    stageId: Id({ maxLength: 8 }),
    count: Type.Integer({ minimum: 1, maximum: 5000 }),
    collectorId: Id(),
  },
  strict,
)

export const CasesPick = Type.Object(
  { caseIds: Type.Array(Id(), { minItems: 1, maxItems: 5000 }), collectorId: Id() },
  strict,
)

/** The desk now: pool by stage, everyone who could work, and why a person gets nothing. */
export const allocationDesk = endpoint({
  method: 'GET',
  path: '/collection/allocation/desk',
  access: ['pedding_list:auto', 'pedding_list:allocate'],
  menu: 'pedding_list',
  input: Type.Object({}),
  data: Type.Object({
    pool: Type.Array(
      Type.Object({
        stageId: text,
        cases: int,
        amount: int,
        oldestTime: maybe,
        allocationState: text,
        runBy: maybe,
        mode: text,
      }),
    ),
    excluded: Type.Object({ lockedAgency: int, held: int, blacklisted: int }),
    agencies: Type.Array(
      Type.Object({
        agencyId: text,
        name: text,
        weight: int,
        status: text,
        inHouse: Type.Boolean(),
        cases: int,
        version: int,
      }),
    ),
    lines: Type.Array(PlanLine),
    /**
     * Work of each line: open cases contacted today, promises decided today and in the six days
     * before, the last contact of today.
     */
    work: Type.Array(
      Type.Object({ collectorId: text, contacted: int, kept: int, judged: int, lastTime: maybe }),
    ),
    nextRunTime: maybe,
    /** The newest stored plan of the caller's units: someone may be working on it. */
    plan: Nullable(
      Type.Object({ planId: text, version: int, createdByName: text, expireTime: text }),
    ),
    asOf: text,
  }),
  summary: 'The allocation desk: pool, tree of collectors with load and flags',
})

/**
 * The newer version of a plan another user changed, in `data` of G409: terms by name, and people
 * who would get another number of cases.
 */
export interface PlanConflict {
  plan: DataOf<typeof previewAllocation>
  changes: {
    terms: string[]
    rows: { collectorId: string; collectorName: string; before: number; after: number }[]
  }
}

export const previewAllocation = endpoint({
  method: 'POST',
  path: '/collection/allocation/preview',
  access: ['pedding_list:auto'],
  menu: 'pedding_list',
  input: Type.Object(
    {
      stageIds,
      scope,
      mode: OneOf([...ALLOCATION_MODES, 'manual']),
      filters: Type.Optional(
        Type.Object(
          {
            overdueFrom: Type.Optional(Type.Integer({ minimum: 0 })),
            overdueTo: Type.Optional(Type.Integer({ minimum: 0 })),
            amountFrom: Type.Optional(Paise({ minimum: 0 })),
            amountTo: Type.Optional(Paise({ minimum: 0 })),
          },
          strict,
        ),
      ),
      /**
       * Enabled agencies with other weights than the configured ones, for this run; they total 100.
       */
      weights: Type.Optional(
        Type.Array(
          Type.Object(
            { agencyId: Id(), weight: Type.Integer({ minimum: 0, maximum: 100 }) },
            strict,
          ),
          { maxItems: 100 },
        ),
      ),
      /**
       * Assignments by hand, made before the mode splits the rest: named cases, or the first
       * `count` of a stage without a holder, as far as the person has room.
       */
      manual: Type.Optional(Type.Array(Type.Union([CasesPick, StagePick]), { maxItems: 500 })),
      planId: Type.Optional(Id()),
      version: Type.Optional(Version()),
    },
    strict,
  ),
  data: Type.Object({
    planId: text,
    version: int,
    seed: int,
    cases: int,
    amount: int,
    placed: int,
    /** Largest deviation of an agency from its weight, in basis points of the cases. */
    maxDeviation: int,
    excluded: Type.Object({
      lockedAgency: int,
      held: int,
      blacklisted: int,
      promisedKept: int,
      noCapacity: int,
    }),
    /** Stages with cases that nobody may take now. */
    stagesWithout: Type.Array(text),
    agencies: Type.Array(
      Type.Object({ agencyId: text, name: text, weight: int, gets: int, amount: int }),
    ),
    rows: Type.Array(PlanLine),
    createdByName: text,
    expireTime: text,
  }),
  audit: 'previewAllocation',
  summary: 'Computes a plan and keeps it for 30 minutes; nothing moves',
})

export const autoAllocate = endpoint({
  method: 'POST',
  path: '/collection/case/autoAllocate',
  access: ['pedding_list:auto'],
  menu: 'pedding_list',
  input: Type.Object(
    {
      planId: Type.Optional(Id()),
      version: Type.Optional(Version()),
      stageIds: Type.Optional(stageIds),
      scope: Type.Optional(scope),
    },
    strict,
  ),
  data: Type.Object({ jobId: text, runId: text }),
  audit: 'autoAllocate',
  idempotency: 'required',
  summary: 'Runs a plan, or the stages with their own mode, as a job',
})

export const RunRow = Type.Object({
  runId: text,
  planId: maybe,
  jobId: maybe,
  stageIds: Type.Array(text),
  scope: text,
  mode: text,
  seed: int,
  total: int,
  done: int,
  failed: int,
  maxDeviation: int,
  state: OneOf(RUN_STATES),
  startBy: text,
  startTime: text,
  finishTime: maybe,
  /** Cases of the run that can still be taken back: allocated, without a contact since. */
  undoable: int,
  undoBy: maybe,
  undoTime: maybe,
  version: int,
})

export const listRuns = endpoint({
  method: 'GET',
  path: '/collection/allocation/list',
  access: ['pedding_list:auto'],
  menu: 'pedding_list',
  input: ListInput({
    stageId: Type.Optional(Id({ maxLength: 8 })),
    state: Type.Optional(OneOf(RUN_STATES)),
    timeFrom: Type.Optional(Time()),
    timeTo: Type.Optional(Time()),
  }),
  data: ListData(RunRow),
  summary: 'Allocation runs',
})

export const steerRun = endpoint({
  method: 'POST',
  path: '/collection/allocation/state',
  access: ['pedding_list:auto'],
  menu: 'pedding_list',
  input: Type.Object({ runId: Id(), to: OneOf(['paused', 'running', 'cancelled']) }, strict),
  data: RunRow,
  audit: 'steerAllocation',
  summary: 'Pauses, resumes or cancels a run; done rows stay',
})

export const undoRun = endpoint({
  method: 'POST',
  path: '/collection/allocation/undo',
  access: ['pedding_list:auto'],
  menu: 'pedding_list',
  input: Type.Object({ runId: Id(), reason }, strict),
  data: BulkData(),
  audit: 'undoAllocation',
  idempotency: 'required',
  summary: 'Undoes a run: returns its cases without a contact since',
})

export const ChangeRow = Type.Object({
  changeId: text,
  transferType: OneOf(TRANSFER_TYPES),
  fromUserId: maybe,
  fromUserName: maybe,
  fromUnit: maybe,
  toUserId: maybe,
  toUserName: maybe,
  toUnit: maybe,
  count: int,
  movedCount: int,
  order: maybe,
  /** Outstanding of its cases while it waits, else null. */
  amount: Nullable(int),
  reason: text,
  state: OneOf(CHANGE_STATES),
  launchBy: text,
  launchById: text,
  launchTime: text,
  decideBy: maybe,
  decideById: maybe,
  decideTime: maybe,
  decideReason: maybe,
  version: int,
})

export const listChanges = endpoint({
  method: 'GET',
  path: '/collection/change/list',
  exports: [{ code: 'change_case:export' }],
  file: { path: '/export/collection/task', when: { tab: ['change'] } },
  access: ['change_case:view'],
  menu: 'change_case',
  input: ListInput({
    changeId: Type.Optional(Id()),
    transferType: Type.Optional(OneOf(TRANSFER_TYPES)),
    fromUserId: Type.Optional(Id()),
    toUserId: Type.Optional(Id()),
    agencyId: Type.Optional(Id()),
    state: Type.Optional(OneOf(CHANGE_STATES)),
    launchBy: Type.Optional(Id()),
    /** Prefix of the requester's name. */
    launcher: Type.Optional(Text(1, 64)),
    timeFrom: Type.Optional(Time()),
    timeTo: Type.Optional(Time()),
  }),
  data: ListData(ChangeRow),
  summary: 'Requests to move cases',
})

export const MoveRow = Type.Object({
  moveId: text,
  caseId: text,
  orderId: text,
  time: text,
  cause: OneOf(MOVE_CAUSES),
  fromStage: maybe,
  toStage: maybe,
  reason: maybe,
  /** A person, else the agency it was with; without an id a part of the system. */
  from: maybe,
  fromUserId: maybe,
  to: maybe,
  toUserId: maybe,
  by: maybe,
  byUserId: maybe,
})

export const listMoves = endpoint({
  method: 'GET',
  path: '/collection/change/log',
  exports: [{ code: 'change_case:export' }],
  file: { path: '/export/collection/task', when: { tab: ['move'] } },
  access: ['change_case:view'],
  menu: 'change_case',
  input: ListInput({
    caseId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    cause: Type.Optional(OneOf(MOVE_CAUSES)),
    fromUserId: Type.Optional(Id()),
    toUserId: Type.Optional(Id()),
    agencyId: Type.Optional(Id()),
    timeFrom: Type.Optional(Time()),
    timeTo: Type.Optional(Time()),
  }),
  data: ListData(MoveRow),
  summary: 'Log of every change of holder or place',
})

export const changeEnds = endpoint({
  method: 'GET',
  path: '/collection/change/ends',
  access: ['change_case:launch'],
  menu: 'change_case',
  input: Type.Object({}),
  data: Type.Object({
    agencies: Type.Array(Type.Object({ id: text, name: text, inside: Type.Boolean() })),
    groups: Type.Array(
      Type.Object({ id: text, name: text, agencyName: text, inside: Type.Boolean() }),
    ),
  }),
  summary: 'Units that can receive cases, by name',
})

/** Cases one request can move. */
export const MOST_MOVED = 2000

export const weighChange = endpoint({
  method: 'GET',
  path: '/collection/change/weigh',
  access: ['change_case:launch'],
  menu: 'change_case',
  input: Type.Object(
    {
      transferType: OneOf(TRANSFER_TYPES),
      fromId: Id(),
      count: Type.Integer({ minimum: 1, maximum: MOST_MOVED }),
      order: OneOf(['oldest', 'highestAmount', 'lowestOverdue']),
    },
    strict,
  ),
  data: Type.Object({ held: int, cases: int, amount: int }),
  summary: 'Number of cases of the present holder, and the outstanding of those requested',
})

export const launchChange = endpoint({
  method: 'POST',
  path: '/collection/change/launch',
  access: ['change_case:launch'],
  menu: 'change_case',
  input: Type.Object(
    {
      transferType: OneOf(TRANSFER_TYPES),
      /** A collector, a group or an agency, by transfer type. */
      fromId: Id(),
      /** Required unless to the pool. */
      toId: Type.Optional(Id()),
      count: Type.Integer({ minimum: 1, maximum: MOST_MOVED }),
      order: OneOf(['oldest', 'highestAmount', 'lowestOverdue']),
      caseIds: Type.Optional(Type.Array(Id(), { minItems: 1, maxItems: 2000, uniqueItems: true })),
      reason,
    },
    strict,
  ),
  data: ChangeRow,
  audit: 'launch',
  idempotency: 'required',
  summary: 'Requests a move of cases; inside the own unit it happens at once',
})

export const decideChange = endpoint({
  method: 'POST',
  path: '/collection/change/decide',
  access: ['change_case:decide'],
  menu: 'change_case',
  input: Type.Object(
    {
      changeIds: Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }),
      result: OneOf(['approved', 'rejected']),
      reason: Type.Optional(reason),
    },
    strict,
  ),
  data: BulkData(),
  audit: 'decide',
  idempotency: 'required',
  summary: "Decides others' requests to move cases",
})
