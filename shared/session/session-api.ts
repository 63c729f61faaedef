import Type from 'typebox'
import { endpoint, Nothing, Nullable, OneOf, Text } from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { DATA_SCOPES } from '#shared/kernel/permission.ts'

/** Sidebar tree from the server. */
export interface MenuTreeNode {
  id: string
  path: string
  component: string
  visible: number
  redirect: string | null
  name: string
  meta: { title: string; icon: string | null; noCache: boolean; btnPermissions: string[] }
  children: MenuTreeNode[]
}

const MenuNode = Type.Object({
  id: Type.String(),
  path: Type.String(),
  component: Type.String(),
  /** 1 = hidden in the sidebar. */
  visible: Type.Integer(),
  redirect: Nullable(Type.String()),
  name: Type.String(),
  meta: Type.Object({
    /** i18n key. */
    title: Type.String(),
    icon: Nullable(Type.String()),
    noCache: Type.Boolean(),
    btnPermissions: Type.Array(Type.String()),
  }),
  children: Type.Array(Type.Unsafe<MenuTreeNode>({ $ref: 'MenuNode' })),
})
// written out, because Type.Cyclic would add the engine of computed types to the login bundle
const MenuTree = Type.Unsafe<MenuTreeNode>({
  $defs: { MenuNode: { ...MenuNode, $id: 'MenuNode' } },
  $ref: 'MenuNode',
})

export const login = endpoint({
  method: 'POST',
  path: '/login',
  access: 'none',
  // both are sent in the query; the edge moves them into the body before anything is logged
  input: Type.Object(
    { username: Text(1, 64), password: Text(1, 200) },
    { additionalProperties: false },
  ),
  /** The token, or with two-factor login the challenge for the code. */
  data: Type.Union([
    Type.Object({ token: Type.String() }),
    Type.Object({ needCode: Type.Literal(true), challenge: Type.String() }),
  ]),
  audit: 'login',
  summary: 'Logs in; an unknown account and a wrong password get the same answer',
})

export const userInfo = endpoint({
  method: 'GET',
  path: '/get/info',
  access: 'any',
  unsettled: true,
  input: Type.Object({}),
  data: Type.Object({
    menu: Type.Array(MenuTree),
    roleFlag: Type.Integer(),
    user: Type.Object({
      userId: Type.String(),
      userName: Type.String(),
      /** Id of the picture, for `GET /sysUser/avatar`. */
      avatar: Nullable(Type.String()),
      introduction: Nullable(Type.String()),
      account: Type.String(),
      loginTime: Type.String(),
      /** Minutes without a call after which the session ends. */
      idleMinutes: Type.Integer({ minimum: 1 }),
      country: Type.String(),
      language: OneOf(LANGUAGES),
      mustChange: Type.Boolean(),
      mustEnrol: Type.Boolean(),
      roles: Type.Array(Type.String()),
      landing: Type.String(),
      scope: Type.Object({
        kind: OneOf(DATA_SCOPES),
        agencyId: Nullable(Type.String()),
        departmentId: Nullable(Type.String()),
        groupId: Nullable(Type.String()),
      }),
    }),
  }),
  summary: 'User, role flag and menu tree of the session',
})

export const serverTime = endpoint({
  method: 'GET',
  path: '/get/time',
  access: 'any',
  unsettled: true,
  passive: true,
  screens: true,
  input: Type.Object({}),
  data: Type.Object({
    time: Type.String(),
    country: Type.String(),
    /** The clock is that of a demo, not the real one. */
    demo: Type.Boolean(),
  }),
  summary: 'Clock of the database and country of the user',
})

export const currentRole = endpoint({
  method: 'GET',
  path: '/sysRole/current',
  access: 'any',
  unsettled: true,
  input: Type.Object({}),
  data: Type.Object({
    roleId: Type.String(),
    roleName: Type.String(),
    uniqueMark: Type.String(),
    status: Type.String(),
    dataScope: OneOf(DATA_SCOPES),
    permissions: Type.Array(Type.String()),
  }),
  summary: 'Role of the session with its permission codes',
})

export const sidebar = endpoint({
  method: 'GET',
  path: '/slider',
  access: 'any',
  unsettled: true,
  input: Type.Object({}),
  data: Type.Object({ menu: Type.Array(MenuTree) }),
  summary: 'Menu tree of the current role',
})

export const logout = endpoint({
  method: 'POST',
  path: '/sysUser/logout',
  access: 'any',
  unsettled: true,
  input: Type.Object({}),
  data: Nothing(),
  audit: 'logout',
  summary: 'Ends the session and its sockets, and releases its claims',
})

/** Called by the edge with a socket's token: manage decides the rooms, the client does not. */
export const liveRooms = endpoint({
  method: 'GET',
  path: '/live/rooms',
  access: 'any',
  unsettled: true,
  passive: true,
  uncached: true,
  screens: true,
  input: Type.Object({
    watch: Type.Optional(Type.String({ maxLength: 2_000 })),
    rows: Type.Optional(Type.String({ maxLength: 8_000 })),
  }),
  data: Type.Object({
    userId: Type.String(),
    userName: Type.String(),
    avatar: Nullable(Type.String()),
    sessionId: Type.String(),
    /** The outside agency the session belongs to; it sees presence of its own people only. */
    circle: Nullable(Type.String()),
    rooms: Type.Array(Type.String()),
    refused: Type.Array(Type.String()),
    /** Of the rows asked about, those the session may see, and whose presence it may receive. */
    rows: Type.Array(Type.String()),
  }),
  summary:
    'Rooms the session may join for what its tab watches (at most 20 `kind:key`) and lists (at most 100 rows)',
})

export const apiDescription = endpoint({
  method: 'GET',
  path: '/docs/openapi.json',
  access: 'any',
  input: Type.Object({}),
  data: Type.Unknown(),
  summary: 'OpenAPI description of all calls; in production for administrators only',
})
