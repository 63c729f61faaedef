import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { SKIP_REASONS } from './distribute.ts'
import { SEGMENTS } from './tele-sets.ts'

/** Telemarketers: their segments and capacity, and who is given which tasks. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }
const menu = 'ele_person'

/** Tasks given by one call. */
export const ASSIGN_MOST = 500
export const PERSON_STATUSES = ['normal', 'disabled', 'frozen'] as const

const Segments = () => Type.Array(OneOf(SEGMENTS), { minItems: 1, maxItems: 4, uniqueItems: true })
const Capacity = () => Type.Integer({ minimum: 1, maximum: 500 })

export const PersonRow = Type.Object({
  userId: text,
  account: text,
  name: text,
  roleMark: text,
  groupName: maybe,
  segments: Type.Array(OneOf(SEGMENTS)),
  seatNumber: maybe,
  allocationFlag: Type.Boolean(),
  capacity: int,
  openTasks: int,
  todayAssigned: int,
  todayFollowed: int,
  todayConverted: int,
  status: OneOf(PERSON_STATUSES),
  online: Type.Boolean(),
  version: int,
})

export const listPersons = endpoint({
  method: 'GET',
  path: '/marketing/person/list',
  access: ['ele_person:view'],
  menu,
  input: ListInput({
    userId: Type.Optional(Id()),
    name: Type.Optional(Text(1, 64)),
    segment: Type.Optional(OneOf(SEGMENTS)),
    groupId: Type.Optional(Id()),
    allocationFlag: Type.Optional(Type.Boolean()),
    status: Type.Optional(OneOf(PERSON_STATUSES)),
    online: Type.Optional(Type.Boolean()),
  }),
  data: ListData(PersonRow),
  summary: 'Telemarketers with their segments, capacity and work of today',
})

export const personOptions = endpoint({
  method: 'GET',
  path: '/marketing/person/options',
  access: ['ele_person:view'],
  menu,
  input: Type.Object({}),
  data: Type.Object({
    /** Accounts of telemarketing roles that are no telemarketers yet. */
    accounts: Type.Array(Type.Object({ userId: text, userName: text, account: text })),
    groups: Type.Array(Type.Object({ id: text, name: text })),
  }),
  summary: 'Accounts that may become telemarketers, and groups',
})

export const addPerson = endpoint({
  method: 'POST',
  path: '/marketing/person/add',
  access: ['ele_person:add'],
  menu,
  input: Type.Object(
    { userId: Id(), segments: Segments(), capacity: Capacity(), allocationFlag: Type.Boolean() },
    strict,
  ),
  data: PersonRow,
  audit: 'addTelePerson',
  summary: 'Makes an account a telemarketer',
})

export const editPerson = endpoint({
  method: 'POST',
  path: '/marketing/person/edit',
  access: ['ele_person:edit'],
  menu,
  input: Type.Object(
    {
      userId: Id(),
      version: Version(),
      segments: Segments(),
      capacity: Capacity(),
      allocationFlag: Type.Boolean(),
    },
    strict,
  ),
  data: PersonRow,
  audit: 'editTelePerson',
  summary: 'Changes segments and capacity of a telemarketer',
})

const UserIds = () => Type.Array(Id(), { minItems: 1, maxItems: 500, uniqueItems: true })

export const openAllocation = endpoint({
  method: 'POST',
  path: '/marketing/person/allocation',
  access: ['ele_person:allocation'],
  menu,
  input: Type.Object({ userIds: UserIds(), open: Type.Boolean() }, strict),
  data: BulkData(),
  audit: 'teleAllocation',
  summary: 'Opens or closes telemarketers for new tasks; closed means skipped',
})

export const setPersonStatus = endpoint({
  method: 'POST',
  path: '/marketing/person/status',
  access: ['ele_person:status'],
  menu,
  input: Type.Object(
    { userIds: UserIds(), status: OneOf(['normal', 'disabled'] as const) },
    strict,
  ),
  data: BulkData(),
  audit: 'telePersonStatus',
  summary: 'Switches accounts of telemarketers; open tasks go back to the pool',
})

export const ASSIGN = [
  'no_certified:assign',
  'unrequished:assign',
  'no_relented:assign',
  'loan_failed:assign',
] as const

export const listTakers = endpoint({
  method: 'GET',
  path: '/marketing/task/takers',
  access: ASSIGN,
  input: Type.Object({ segment: OneOf(SEGMENTS) }),
  data: Type.Object({
    people: Type.Array(
      Type.Object({
        userId: text,
        userName: text,
        open: int,
        capacity: int,
        /** Why the person would be skipped now; null = can be given tasks. */
        skip: Nullable(OneOf(SKIP_REASONS)),
      }),
    ),
    /** Tasks in the pool that can be given. */
    waiting: int,
  }),
  summary: 'Who of the caller’s people may be given tasks of a segment',
})

export const assignTasks = endpoint({
  method: 'POST',
  path: '/marketing/task/assign',
  access: ASSIGN,
  input: Type.Object(
    {
      segment: OneOf(SEGMENTS),
      /** These, or else as many of the pool. */
      taskIds: Type.Optional(
        Type.Array(Id(), { minItems: 1, maxItems: ASSIGN_MOST, uniqueItems: true }),
      ),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: ASSIGN_MOST })),
      assigneeIds: Type.Array(Id(), { minItems: 1, maxItems: 100, uniqueItems: true }),
    },
    strict,
  ),
  data: Type.Object({
    assigned: int,
    /** Nobody had room · ended, claimed or out of reach · nobody may call the customer. */
    left: int,
    changed: int,
    barred: int,
    skipped: Type.Array(Type.Object({ userId: text, userName: text, why: OneOf(SKIP_REASONS) })),
  }),
  audit: 'assignTasks',
  idempotency: 'required',
  summary: 'Assigns tasks evenly to telemarketers; the answer names those skipped and why',
})
