import Type from 'typebox'
import { endpoint, Id, Nothing, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'

/** Staff accounts (api.md 2). */
const text = Type.String()
const maybe = Nullable(text)
const strict = { additionalProperties: false }

/** Collectors' accounts work as `normal`, those of everybody else as `enabled` (roles.md 5.2). */
export const USER_STATUSES = ['enabled', 'normal', 'disabled', 'frozen'] as const

export const UserRow = Type.Object({
  userId: text,
  account: text,
  nickname: text,
  userName: text,
  email: maybe,
  jobNumber: maybe,
  roleId: text,
  roleName: text,
  roleMark: text,
  language: OneOf(LANGUAGES),
  status: OneOf(USER_STATUSES),
  agencyId: maybe,
  departmentId: maybe,
  groupId: maybe,
  agencyName: maybe,
  departmentName: maybe,
  groupName: maybe,
  allocationFlag: Type.Boolean(),
  twoFactor: Type.Boolean(),
  lastLoginTime: maybe,
  online: Type.Boolean(),
  /** Too many failed sign-ins: until then the account text is refused, whoever uses it. */
  lockedUntil: maybe,
  version: Type.Integer(),
})

export const listUsers = endpoint({
  method: 'GET',
  path: '/sysUser/list',
  access: ['user:view'],
  menu: 'user',
  input: ListInput({
    account: Type.Optional(Text(1, 64)),
    nickname: Type.Optional(Text(1, 64)),
    roleId: Type.Optional(Id()),
    status: Type.Optional(OneOf(USER_STATUSES)),
    agencyId: Type.Optional(Id()),
    departmentId: Type.Optional(Id()),
    groupId: Type.Optional(Id()),
    jobNumber: Type.Optional(Text(1, 20)),
    online: Type.Optional(Type.Boolean()),
  }),
  data: ListData(UserRow),
  summary: 'Staff accounts',
})

export const userDetail = endpoint({
  method: 'GET',
  path: '/sysUser/detail',
  access: ['user:view'],
  menu: 'user',
  input: Type.Object({ userId: Id() }),
  data: Type.Object({
    ...UserRow.properties,
    sessions: Type.Array(
      Type.Object({ sessionId: text, ip: maybe, agent: maybe, loginTime: text, lastSeen: text }),
    ),
  }),
  summary: 'An account with the sessions it has now',
})

/** What is left out is empty afterwards. */
const userFields = {
  nickname: Text(1, 50),
  /** The name colleagues read everywhere; without it the nickname. */
  userName: Type.Optional(Text(1, 64)),
  email: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[^@\\s]+@[^@\\s.]+(\\.[^@\\s.]+)+$',
      fault: 'access:fault.email',
    }),
  ),
  roleId: Id(),
  language: OneOf(LANGUAGES),
  jobNumber: Type.Optional(Text(1, 20)),
  /** The company; wanted as soon as there is one (the first accounts exist before the first agency, which needs an officer). */
  agencyId: Type.Optional(Id()),
  departmentId: Type.Optional(Id()),
  groupId: Type.Optional(Id()),
  allocationFlag: Type.Boolean(),
}

/** Checked by the rule of passwords, which answers in its own words. */
const password = Type.String({ minLength: 1, maxLength: 72 })

export const addUser = endpoint({
  method: 'POST',
  path: '/sysUser/add',
  access: ['user:add'],
  menu: 'user',
  input: Type.Object(
    {
      account: Type.String({
        minLength: 4,
        maxLength: 32,
        pattern: '^[a-z0-9._]+$',
        fault: 'access:fault.account',
      }),
      password,
      ...userFields,
      status: OneOf(['enabled', 'disabled']),
    },
    strict,
  ),
  data: Type.Object({ userId: text }),
  audit: 'add',
  summary: 'Adds an account; its password must be changed at the first sign-in',
})

export const editUser = endpoint({
  method: 'POST',
  path: '/sysUser/edit',
  access: ['user:edit'],
  menu: 'user',
  input: Type.Object({ userId: Id(), version: Version(), ...userFields }, strict),
  data: UserRow,
  audit: 'edit',
  summary: 'Changes an account; another role or unit counts at once',
})

export const setUserStatus = endpoint({
  method: 'POST',
  path: '/sysUser/status',
  access: ['user:status'],
  menu: 'user',
  input: Type.Object({ userId: Id(), version: Version(), status: OneOf(USER_STATUSES) }, strict),
  data: Nothing(),
  audit: 'status',
  summary: 'Switches an account; off means its sessions, claims and cases end at once',
})

export const unlockUser = endpoint({
  method: 'POST',
  path: '/sysUser/unlock',
  access: ['user:status'],
  menu: 'user',
  input: Type.Object({ userId: Id() }, strict),
  data: Nothing(),
  audit: 'unlock',
  summary: 'Forgets the failed sign-ins of an account',
})

export const resetUserPassword = endpoint({
  method: 'POST',
  path: '/sysUser/adminReset',
  access: ['user:reset'],
  menu: 'user',
  input: Type.Object({ userId: Id(), newPwd: password, confirmNewPwd: password }, strict),
  data: Nothing(),
  audit: 'reset',
  summary: 'Gives an account a password that must be changed at the next sign-in; its sessions end',
})

export const kickUser = endpoint({
  method: 'POST',
  path: '/sysUser/kick',
  access: ['user:kick'],
  menu: 'user',
  input: Type.Object({ userId: Id(), sessionId: Type.Optional(Id()) }, strict),
  data: Nothing(),
  audit: 'kick',
  summary: 'Ends one or all sessions of an account',
})
