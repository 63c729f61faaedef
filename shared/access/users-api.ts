import Type from 'typebox'
import { endpoint, Id, Nothing, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'

/** Staff accounts. */
const text = Type.String()
const maybe = Nullable(text)
const strict = { additionalProperties: false }

/** Active accounts of collectors have the status `normal`, all others `enabled`. */
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
  /** After failed logins: until then the account text is refused, even with the right password. */
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
  summary: 'An account with its sessions',
})

/** Absent fields are emptied. */
const userFields = {
  nickname: Text(1, 50),
  /** The name shown to colleagues; falls back to the nickname. */
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
  /**
   * The company; required as soon as one exists (the first accounts exist before the first agency,
   * which needs an officer).
   */
  agencyId: Type.Optional(Id()),
  departmentId: Type.Optional(Id()),
  groupId: Type.Optional(Id()),
  allocationFlag: Type.Boolean(),
}

/** Checked by the password rule, which has its own problems. */
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
  summary: 'Adds an account; its password must be changed at the first login',
})

export const editUser = endpoint({
  method: 'POST',
  path: '/sysUser/edit',
  access: ['user:edit'],
  menu: 'user',
  input: Type.Object({ userId: Id(), version: Version(), ...userFields }, strict),
  data: UserRow,
  audit: 'edit',
  summary: 'Changes an account; a new role or unit takes effect at once',
})

export const setUserStatus = endpoint({
  method: 'POST',
  path: '/sysUser/status',
  access: ['user:status'],
  menu: 'user',
  input: Type.Object({ userId: Id(), version: Version(), status: OneOf(USER_STATUSES) }, strict),
  data: Nothing(),
  audit: 'status',
  summary: 'Switches an account; off ends its sessions and returns its claims and cases',
})

export const unlockUser = endpoint({
  method: 'POST',
  path: '/sysUser/unlock',
  access: ['user:status'],
  menu: 'user',
  input: Type.Object({ userId: Id() }, strict),
  data: Nothing(),
  audit: 'unlock',
  summary: 'Deletes the failed logins of an account',
})

export const resetUserPassword = endpoint({
  method: 'POST',
  path: '/sysUser/adminReset',
  access: ['user:reset'],
  menu: 'user',
  input: Type.Object({ userId: Id(), newPwd: password, confirmNewPwd: password }, strict),
  data: Nothing(),
  audit: 'reset',
  summary:
    'Sets a password that must be changed at the next login, and ends the sessions of the account',
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
