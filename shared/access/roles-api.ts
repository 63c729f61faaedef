import Type from 'typebox'
import { PendingApproval } from '#shared/approvals/pending-approval.ts'
import { endpoint, Id, MapOf, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { DATA_SCOPES } from '#shared/kernel/permission.ts'
import type { PermissionNode } from './permission-tree.ts'

/** Roles and their permissions. */
const text = Type.String()
const int = Type.Integer()
const strict = { additionalProperties: false }
const status = OneOf(['enabled', 'disabled'])
const codesByMenu = MapOf(
  Type.Array(Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z]+$' }), {
    maxItems: 60,
    uniqueItems: true,
  }),
  { keys: '^[A-Za-z0-9_]{1,60}$', maxProperties: 300 },
)

export const RoleRow = Type.Object({
  roleId: text,
  name: text,
  uniqueMark: text,
  status,
  dataScope: OneOf(DATA_SCOPES),
  userCount: int,
  builtIn: Type.Boolean(),
  updateTime: text,
  version: int,
  /** A change of the role is pending approval. */
  approval: Nullable(PendingApproval),
})

export const listRoles = endpoint({
  method: 'GET',
  path: '/sysRole/list',
  access: ['role:view', 'user:view'],
  menu: 'role',
  input: ListInput({
    name: Type.Optional(Text(1, 40)),
    status: Type.Optional(status),
    uniqueMark: Type.Optional(Text(1, 40)),
  }),
  data: ListData(RoleRow),
  summary: 'Roles',
})

/** The ids of the role's menus, and the codes of its buttons by menu name. */
const RoleDetail = Type.Object({
  ...RoleRow.properties,
  checkedMenuIds: Type.Array(text),
  checkedButtons: MapOf(Type.Array(text)),
})

export const roleDetail = endpoint({
  method: 'GET',
  path: '/sysRole/detail',
  access: ['role:view'],
  menu: 'role',
  input: Type.Object({ roleId: Id() }),
  data: RoleDetail,
  summary: 'A role with its menus and buttons',
})

const Node = Type.Object({
  id: text,
  name: text,
  /** i18n key. */
  title: text,
  path: text,
  /** 1 = hidden in the sidebar. */
  visible: int,
  buttons: Type.Array(Type.Object({ code: text, title: text })),
  children: Type.Array(Type.Unsafe<PermissionNode>({ $ref: 'PermissionNode' })),
})
// written out for the same reason as the menu tree of the session
const PermissionTree = Type.Unsafe<PermissionNode>({
  $defs: { PermissionNode: { ...Node, $id: 'PermissionNode' } },
  $ref: 'PermissionNode',
})

export const menuTreeOfRole = endpoint({
  method: 'POST',
  path: '/sysRole/all/menu',
  access: ['role:view'],
  menu: 'role',
  input: Type.Object({ roleId: Type.Optional(Id()) }, strict),
  data: Type.Object({ tree: Type.Array(PermissionTree), checked: Type.Array(text) }),
  summary: 'All menus and buttons, and the ids of the menus a role has',
})

export const saveRole = endpoint({
  method: 'POST',
  path: '/sysRole/edit',
  access: ['role:add', 'role:edit', 'role:status'],
  menu: 'role',
  input: Type.Object(
    {
      /** Empty = a new role. */
      roleId: Type.Optional(Id()),
      version: Type.Optional(Version()),
      name: Text(2, 40),
      uniqueMark: Type.String({
        minLength: 2,
        maxLength: 40,
        pattern: '^[a-z_]+$',
        fault: 'access:fault.mark',
      }),
      status,
      dataScope: OneOf(DATA_SCOPES),
      menuIds: Type.Array(Id(), { minItems: 1, maxItems: 300, uniqueItems: true }),
      buttons: codesByMenu,
      /** Whether the tree was linked while editing; only the checked permissions are saved. */
      linkage: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  /**
   * With approval nothing is saved yet: the answer has the request's id, and no role id for a new
   * role.
   */
  data: Type.Object({ roleId: Nullable(text), approvalId: Nullable(text) }),
  audit: 'saveRole',
  summary:
    'Creates or changes a role; it takes effect at once, or after approval by a second person (approval.kinds)',
})
