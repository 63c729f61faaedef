import Type from 'typebox'
import { Day, endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { ALLOCATION_MODES, SHIFTS } from './collection-sets.ts'
import { ANY_COLLECTION_MENU } from './tree-api.ts'

/** Stages, agencies with departments and groups, collectors, the weekly duty table. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }
const name = Text(2, 50)
const phone = Type.String({ pattern: '^[6-9]\\d{9}$' })
const stageId = Type.String({ pattern: '^[A-Z][A-Z0-9]{0,3}$' })
const days = Type.Integer({ minimum: 0, maximum: 10_000 })
const weight = Type.Integer({ minimum: 0, maximum: 100 })
const ids = Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true })

export const StageRow = Type.Object({
  stageId: text,
  name: text,
  minOverdueDays: int,
  /** Null = no end. */
  maxOverdueDays: Nullable(int),
  collectorCount: int,
  allocationCollectorCount: int,
  addressBookVisible: Type.Boolean(),
  allocationState: OneOf(['allocated', 'allocating']),
  caseCount: int,
  mode: OneOf(ALLOCATION_MODES),
  capacity: int,
  status: OneOf(['enabled', 'disabled']),
  version: int,
})

export const listStages = endpoint({
  method: 'GET',
  path: '/collection/stage/list',
  access: ANY_COLLECTION_MENU,
  menu: 'overdue_stage',
  input: Type.Object({}),
  data: Type.Object({ rows: Type.Array(StageRow), total: int, asOf: text }),
  summary: 'Collection stages',
})

const stageFields = {
  name: Text(1, 20),
  minOverdueDays: days,
  maxOverdueDays: Nullable(days),
  addressBookVisible: Type.Boolean(),
  mode: OneOf(ALLOCATION_MODES),
  capacity: Type.Integer({ minimum: 1, maximum: 500 }),
  status: OneOf(['enabled', 'disabled']),
}

export const addStage = endpoint({
  method: 'POST',
  path: '/collection/stage/add',
  access: ['overdue_stage:add'],
  menu: 'overdue_stage',
  input: Type.Object({ stageId, ...stageFields }, strict),
  data: StageRow,
  audit: 'add',
  summary: 'Adds a stage; bounds must be contiguous',
})

export const editStage = endpoint({
  method: 'POST',
  path: '/collection/stage/edit',
  access: ['overdue_stage:edit'],
  menu: 'overdue_stage',
  input: Type.Object({ stageId, version: Version(), ...stageFields }, strict),
  data: StageRow,
  audit: 'edit',
  summary: 'Changes a stage; bounds take effect at the next daily run',
})

export const AgencyRow = Type.Object({
  agencyId: text,
  name: text,
  officerId: text,
  officer: text,
  officerPhone: maybe,
  weight: int,
  inHouse: Type.Boolean(),
  /** Last IST day of the agreement; null = open end. */
  termEnd: maybe,
  status: OneOf(['enabled', 'locked']),
  collectorCount: int,
  caseCount: int,
  version: int,
})

export const listAgencies = endpoint({
  method: 'GET',
  path: '/collection/agency/list',
  access: ['urge_agencies:view', 'agency_detail:view'],
  menu: 'urge_agencies',
  input: ListInput({
    name: Type.Optional(Text(1, 50)),
    officer: Type.Optional(Text(1, 64)),
    status: Type.Optional(OneOf(['enabled', 'locked'])),
  }),
  data: ListData(AgencyRow),
  summary: 'Agencies',
})

export const addAgency = endpoint({
  method: 'POST',
  path: '/collection/agency/add',
  access: ['urge_agencies:add'],
  menu: 'urge_agencies',
  input: Type.Object(
    {
      name,
      officerId: Id(),
      officerPhone: Type.Optional(phone),
      inHouse: Type.Boolean(),
      termEnd: Type.Optional(Nullable(Day())),
    },
    strict,
  ),
  data: AgencyRow,
  audit: 'add',
  summary: 'Adds an agency: locked and without weight until the weights are set',
})

export const editAgency = endpoint({
  method: 'POST',
  path: '/collection/agency/edit',
  access: ['urge_agencies:edit'],
  menu: 'urge_agencies',
  /** Without `officerPhone` the stored one stays; without `termEnd` there is no end. */
  input: Type.Object(
    {
      agencyId: Id(),
      version: Version(),
      name,
      officerId: Id(),
      officerPhone: Type.Optional(phone),
      inHouse: Type.Boolean(),
      termEnd: Type.Optional(Nullable(Day())),
    },
    strict,
  ),
  data: AgencyRow,
  audit: 'edit',
  summary: 'Changes an agency',
})

export const weighAgencies = endpoint({
  method: 'POST',
  path: '/collection/agency/weight',
  access: ['urge_agencies:weight'],
  menu: 'urge_agencies',
  input: Type.Object(
    {
      weights: Type.Array(
        Type.Object(
          { agencyId: Id(), weight, status: OneOf(['enabled', 'locked']), version: Version() },
          strict,
        ),
        { minItems: 1, maxItems: 500 },
      ),
    },
    strict,
  ),
  data: Type.Object({ rows: Type.Array(AgencyRow) }),
  audit: 'weight',
  idempotency: 'required',
  summary: 'Sets weights and locks at once; weights of the enabled agencies total 100',
})

export const UnitRow = Type.Object({
  id: text,
  name: text,
  officerId: text,
  officerName: text,
  agencyId: text,
  agencyName: text,
  departmentId: maybe,
  departmentName: maybe,
  collectorCount: int,
  version: int,
})
const unitFilters = {
  name: Type.Optional(Text(1, 50)),
  officer: Type.Optional(Text(1, 64)),
  agencyId: Type.Optional(Id()),
  departmentId: Type.Optional(Id()),
}

export const listDepartments = endpoint({
  method: 'GET',
  path: '/collection/department/list',
  access: ['urge_agencies:view'],
  menu: 'urge_agencies',
  input: ListInput(unitFilters),
  data: ListData(UnitRow),
  summary: 'Departments',
})
export const listGroups = endpoint({
  method: 'GET',
  path: '/collection/group/list',
  access: ['urge_agencies:view'],
  menu: 'urge_agencies',
  input: ListInput(unitFilters),
  data: ListData(UnitRow),
  summary: 'Groups',
})

export const addDepartment = endpoint({
  method: 'POST',
  path: '/collection/department/add',
  access: ['urge_agencies:add'],
  menu: 'urge_agencies',
  input: Type.Object({ name, officerId: Id(), agencyId: Id() }, strict),
  data: UnitRow,
  audit: 'add',
  summary: 'Adds a department',
})
export const addGroup = endpoint({
  method: 'POST',
  path: '/collection/group/add',
  access: ['urge_agencies:add'],
  menu: 'urge_agencies',
  input: Type.Object({ name, officerId: Id(), departmentId: Id() }, strict),
  data: UnitRow,
  audit: 'add',
  summary: 'Adds a group',
})
const unitEdit = Type.Object({ id: Id(), version: Version(), name, officerId: Id() }, strict)
export const editDepartment = endpoint({
  method: 'POST',
  path: '/collection/department/edit',
  access: ['urge_agencies:edit'],
  menu: 'urge_agencies',
  input: unitEdit,
  data: UnitRow,
  audit: 'edit',
  summary: 'Changes a department',
})
export const editGroup = endpoint({
  method: 'POST',
  path: '/collection/group/edit',
  access: ['urge_agencies:edit'],
  menu: 'urge_agencies',
  input: unitEdit,
  data: UnitRow,
  audit: 'edit',
  summary: 'Changes a group',
})

/** Users who may lead a unit or be its officer: supervisors, team leaders, managers. */
export const officerOptions = endpoint({
  method: 'GET',
  path: '/collection/officer/options',
  access: ['urge_agencies:add', 'urge_agencies:edit'],
  menu: 'urge_agencies',
  input: Type.Object({}),
  data: Type.Array(Type.Object({ userId: text, userName: text, account: text, roleMark: text })),
  summary: 'Who may be the officer of a unit',
})

export const PERSON_STATUSES = ['normal', 'frozen', 'disabled'] as const
/** Roles a collector may have. */
export const COLLECTOR_ROLES = ['collector', 'collection_specialist', 'team_leader'] as const

export const PersonRow = Type.Object({
  userId: text,
  account: text,
  name: text,
  roleMark: text,
  agencyId: maybe,
  agencyName: maybe,
  departmentId: maybe,
  departmentName: maybe,
  groupId: maybe,
  groupName: maybe,
  stageIds: Type.Array(text),
  allocationFlag: Type.Boolean(),
  addressBookVisible: Type.Boolean(),
  status: OneOf(PERSON_STATUSES),
  weight: int,
  seatNumber: maybe,
  certNo: maybe,
  certExpiry: maybe,
  certValid: Type.Boolean(),
  capacity: int,
  openCases: int,
  todayRecovered: int,
  online: Type.Boolean(),
  onDuty: Type.Boolean(),
  version: int,
})

export const listPersons = endpoint({
  method: 'GET',
  path: '/collection/person/list',
  // the permission to edit certificates includes the file of agents
  exports: [{ code: 'urge_person:edit' }],
  access: ['urge_person:view', 'change_case:view'],
  menu: 'urge_person',
  input: ListInput({
    account: Type.Optional(Text(1, 64)),
    name: Type.Optional(Text(1, 64)),
    roleMark: Type.Optional(OneOf(COLLECTOR_ROLES)),
    agencyId: Type.Optional(Id()),
    departmentId: Type.Optional(Id()),
    groupId: Type.Optional(Id()),
    stageId: Type.Optional(stageId),
    allocationFlag: Type.Optional(Type.Boolean()),
    status: Type.Optional(OneOf(PERSON_STATUSES)),
    online: Type.Optional(Type.Boolean()),
    /** Has a certificate that has not expired. */
    certValid: Type.Optional(Type.Boolean()),
  }),
  data: ListData(PersonRow),
  summary: 'Collectors',
})

const personFields = {
  name: Text(2, 64),
  roleMark: OneOf(COLLECTOR_ROLES),
  agencyId: Id(),
  departmentId: Id(),
  groupId: Id(),
  stageIds: Type.Array(stageId, { minItems: 1, maxItems: 20, uniqueItems: true }),
  allocationFlag: Type.Boolean(),
  addressBookVisible: Type.Boolean(),
  weight: Type.Integer({ minimum: 1, maximum: 100 }),
  seatNumber: Type.Optional(Nullable(Type.String({ maxLength: 20, pattern: '^[0-9]{2,20}$' }))),
  certNo: Type.Optional(Nullable(Text(3, 40))),
  certExpiry: Type.Optional(Nullable(Day())),
  capacity: Type.Integer({ minimum: 1, maximum: 500 }),
}

export const addPerson = endpoint({
  method: 'POST',
  path: '/collection/person/add',
  access: ['urge_person:add'],
  menu: 'urge_person',
  input: Type.Object(
    {
      account: Type.String({ minLength: 4, maxLength: 32, pattern: '^[A-Za-z][A-Za-z0-9_]*$' }),
      password: Type.String({ minLength: 1, maxLength: 72 }),
      ...personFields,
    },
    strict,
  ),
  data: PersonRow,
  audit: 'add',
  idempotency: 'required',
  summary: 'Adds a collector with an account; they set their own password at the first sign-in',
})

export const editPerson = endpoint({
  method: 'POST',
  path: '/collection/person/edit',
  access: ['urge_person:edit'],
  menu: 'urge_person',
  input: Type.Object({ userId: Id(), version: Version(), ...personFields }, strict),
  data: PersonRow,
  audit: 'edit',
  summary:
    'Changes a collector; after a change of unit they keep their cases until these are moved',
})

export const openAllocation = endpoint({
  method: 'POST',
  path: '/collection/person/allocation',
  access: ['urge_person:allocation'],
  menu: 'urge_person',
  input: Type.Object({ userIds: ids, open: Type.Boolean() }, strict),
  data: BulkData(),
  audit: 'allocation',
  summary: 'Opens or closes collectors for new cases; closed means skipped',
})

export const setPersonStatus = endpoint({
  method: 'POST',
  path: '/collection/person/status',
  access: ['urge_person:status'],
  menu: 'urge_person',
  input: Type.Object(
    { userIds: ids, status: OneOf(PERSON_STATUSES), moveCasesTo: Type.Optional(Id()) },
    strict,
  ),
  data: BulkData(),
  audit: 'status',
  idempotency: 'required',
  summary: 'Switches accounts on or off; open cases are moved to a colleague or back to the pool',
})

const week = Type.Array(OneOf(SHIFTS), { minItems: 7, maxItems: 7 })
export const DutyRow = Type.Object({
  userId: text,
  name: text,
  agencyId: maybe,
  groupId: maybe,
  groupName: maybe,
  stageIds: Type.Array(text),
  days: week,
  version: int,
})

const units = {
  agencyId: Type.Optional(Id()),
  departmentId: Type.Optional(Id()),
  groupId: Type.Optional(Id()),
}

export const listSchedule = endpoint({
  method: 'GET',
  path: '/collection/schedule/list',
  access: ['urge_schedule:view'],
  menu: 'urge_schedule',
  input: Type.Object({ weekStart: Day(), ...units }),
  data: Type.Object({
    rows: Type.Array(DutyRow),
    stages: Type.Array(text),
    today: text,
    asOf: text,
  }),
  summary: 'Duty table of a week (its Monday)',
})

const dutyRows = Type.Array(
  Type.Object(
    { userId: Id(), days: week, version: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) },
    strict,
  ),
  { minItems: 1, maxItems: 500 },
)

export const saveSchedule = endpoint({
  method: 'POST',
  path: '/collection/schedule/save',
  access: ['urge_schedule:edit'],
  menu: 'urge_schedule',
  /** Only the changed people; `version` 0 = had no row yet. */
  input: Type.Object({ weekStart: Day(), rows: dutyRows }, strict),
  data: Type.Object({ rows: Type.Array(DutyRow) }),
  audit: 'edit',
  idempotency: 'required',
  summary: 'Saves shifts; a change of today alters allocation at once',
})

export const copySchedule = endpoint({
  method: 'POST',
  path: '/collection/schedule/copy',
  access: ['urge_schedule:copy'],
  menu: 'urge_schedule',
  input: Type.Object({ fromWeek: Day(), toWeek: Day(), groupIds: Type.Optional(ids) }, strict),
  data: Type.Object({ count: int }),
  audit: 'copy',
  idempotency: 'required',
  summary: 'Copies a week onto another',
})

export const importSchedule = endpoint({
  method: 'POST',
  path: '/collection/schedule/import',
  access: ['urge_schedule:import'],
  menu: 'urge_schedule',
  /** Rows of the file as parsed by the client: an account and seven shifts. */
  input: Type.Object(
    {
      weekStart: Day(),
      rows: Type.Array(
        Type.Object(
          { account: Text(1, 64), days: Type.Array(Text(1, 16), { minItems: 7, maxItems: 7 }) },
          strict,
        ),
        { minItems: 1, maxItems: 2_000 },
      ),
    },
    strict,
  ),
  data: Type.Object({
    ok: int,
    failed: Type.Array(Type.Object({ row: int, column: text, messageKey: text })),
  }),
  audit: 'import',
  idempotency: 'required',
  summary: 'Imports a week from a file; faulty rows are reported, the others saved',
})

export const scheduleTemplate = endpoint({
  method: 'GET',
  path: '/export/template/schedule',
  access: ['urge_schedule:import'],
  menu: 'urge_schedule',
  /** With a week: the current shifts of those units; else empty. */
  input: Type.Object({ weekStart: Type.Optional(Day()), ...units }),
  // a file answer has no envelope
  data: Type.Null(),
  audit: 'export',
  summary: 'Template for importing a week',
})
