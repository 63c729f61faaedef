import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import {
  BUTTON_WITHOUT_MENU,
  LAST_ADMINISTRATOR,
  MARK_EXISTS,
  NOT_YOURSELF,
} from '#shared/access/access-problems.ts'
import {
  buttonsWithoutMenu,
  KEPT_BY_ADMINISTRATORS,
  KEPT_BY_ALL,
  type PermissionNode,
  tickAll,
  toGrant,
  toTicks,
} from '#shared/access/permission-tree.ts'
import type * as api from '#shared/access/roles-api.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { MENU_CHANGED } from '#shared/session/session-live.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { endSessions } from '#gateway/manage/features/session/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type RequestedRole, describeRoleEdit, findRole, permissionTree } from './role-queries.ts'
import type { Releases } from './save-user.ts'
import { refuseAboveOwn } from './user-rules.ts'

type Input = InputOf<typeof api.saveRole>
type Role = DataOf<typeof api.roleDetail>
interface Grant {
  menuIds: string[]
  buttons: Record<string, string[]>
}

/** The dashboard type of a custom role; the built-in roles use 0 to 5. */
const CUSTOM_ROLE_FLAG = 9

/** The saved role, or the request that is pending approval. */
export interface SavedRole {
  roleId: string | null
  approvalId: string | null
}

/**
 * Creates or edits a role. Sessions of its holders get new menus, buttons and rooms at once;
 * disabling the role ends them. If approval.kinds contains it, a new role and every change of
 * permissions need the approval of a second person; enabling and disabling alone do not, because
 * the permissions were approved before.
 * @throws Problem G403 (each part has its own code; only administrators edit the administrators'
 * role), G404, G409, G-FIELD, R-DUP, R-TREE, U-LAST, U-SELF for the caller's own role, A-OPEN
 */
export async function saveRole(
  tx: CommandTx,
  input: Input,
  releases: Releases,
): Promise<SavedRole> {
  const { grant, before, changesRights } = await checked(tx, input)
  if (before === null) needs(tx, 'role:add')
  else {
    refuseAboveOwn(tx, before.uniqueMark)
    if (changesRights || input.status === before.status) needs(tx, 'role:edit')
    if (input.status !== before.status) needs(tx, 'role:status')
  }
  if (changesRights && (await waitsForSecond(tx)))
    return {
      roleId: before?.roleId ?? null,
      approvalId: await requestEdit(tx, input, grant, before),
    }
  return { roleId: await store(tx, input, grant, before, releases), approvalId: null }
}

/**
 * Executed as the approver with the same checks: the approval is refused when the role changed
 * since, or is the approver's own.
 */
export function roleApproval(releases: Releases): ApprovalKind<RequestedRole> {
  return {
    ...ROLE_EDIT,
    orderIds: () => [],
    role: (db, { payload }) => describeRoleEdit(db, payload),
    async carryOut(tx, { payload: { input } }) {
      const { grant, before } = await checked(tx, input)
      await store(tx, input, grant, before, releases)
    },
  }
}

const ROLE_EDIT = {
  kind: 'roleEdit',
  menu: 'role',
  route: '/home_page?tab=decide',
  approveCode: 'role:approve',
} as const

async function waitsForSecond(tx: CommandTx): Promise<boolean> {
  const { rows } = await sql<{
    value: string
  }>`select c.value from sys_config c where c.code = 'approval.kinds'`.execute(tx.db)
  return rows[0]?.value.split(',').includes(ROLE_EDIT.kind) === true
}

async function requestEdit(
  tx: CommandTx,
  input: Input,
  grant: Grant,
  before: Role | null,
): Promise<string> {
  const payload: RequestedRole = {
    input,
    before: before && { name: before.name, dataScope: before.dataScope },
    added: ticksOfGrant(grant).filter(
      (tick) => before === null || !ticksOfGrant(wasOf(before)).includes(tick),
    ),
    removed:
      before === null
        ? []
        : ticksOfGrant(wasOf(before)).filter((tick) => !ticksOfGrant(grant).includes(tick)),
  }
  // the target of a new role is its mark, so that the same role is not requested twice
  const approval = await requestApproval(tx, ROLE_EDIT, {
    targetKind: 'role',
    targetId: before?.roleId ?? input.uniqueMark,
    payload,
    amount: 0,
    count: 1,
    reason: before?.name ?? input.name,
  })
  tx.log({
    action: before === null ? 'add' : 'edit',
    targetKind: 'approval',
    targetId: approval.id,
    after: logged(input, grant),
  })
  return approval.id
}

/** The checks of every save, requested or approved; locks the role's row. */
async function checked(
  tx: CommandTx,
  input: Input,
): Promise<{ grant: Grant; before: Role | null; changesRights: boolean }> {
  const grant = await grantOf(tx, input)
  if (input.roleId === undefined) {
    const { rows } =
      await sql`select 1 from sys_role g where g.unique_mark = ${input.uniqueMark}`.execute(tx.db)
    if (rows.length > 0) throw taken()
    return { grant, before: null, changesRights: true }
  }
  const { rows } = await sql<{
    version: number
  }>`select g.version from sys_role g where g.id = ${input.roleId} for update`.execute(tx.db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  const before = await findRole(tx.db, input.roleId)
  if (before.version !== input.version)
    throw await changedByOther(tx.db, 'role', input.roleId, before)
  if (input.uniqueMark !== before.uniqueMark)
    throw new Problem(INVALID_FIELDS, {}, { fields: { uniqueMark: 'access:fault.markFixed' } })
  // otherwise a person who may edit roles could grant themselves every permission
  const { roleMark } = staff(tx.actor).rights
  if (before.uniqueMark === roleMark && roleMark !== ADMINISTRATOR) throw new Problem(NOT_YOURSELF)
  if (
    before.uniqueMark === ADMINISTRATOR &&
    (input.status !== 'enabled' || input.dataScope !== 'all')
  )
    throw new Problem(LAST_ADMINISTRATOR)
  return {
    grant,
    before,
    changesRights:
      input.name !== before.name ||
      input.dataScope !== before.dataScope ||
      !isSame(wasOf(before), grant),
  }
}

async function store(
  tx: CommandTx,
  input: Input,
  grant: Grant,
  before: Role | null,
  releases: Releases,
): Promise<string> {
  if (before === null) return createRole(tx, input, grant)
  const { roleId } = before
  await sql`
    update sys_role set name = ${input.name}, status = ${input.status}, data_scope = ${input.dataScope},
      version = version + 1, updated_at = clock_timestamp() where id = ${roleId}`.execute(tx.db)
  await storeGrant(tx, roleId, grant)
  tx.emit(MENU_CHANGED, {
    subject: `role:${roleId}`,
    version: before.version + 1,
    rooms: [`role:${before.uniqueMark}`, 'menu:role'],
    data: { roleId },
    recheck: true,
  })
  tx.afterCommit(() => tx.context.forgetSessions(null))
  if (input.status === 'disabled' && before.status === 'enabled')
    await signOutHolders(tx, roleId, releases)
  tx.log({
    action: 'edit',
    targetKind: 'role',
    targetId: roleId,
    before: logged(before, wasOf(before)),
    after: logged(input, grant),
  })
  return roleId
}

async function createRole(tx: CommandTx, input: Input, grant: Grant): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into sys_role (name, unique_mark, status, data_scope, role_flag)
      values (${input.name}, ${input.uniqueMark}, ${input.status}, ${input.dataScope}, ${CUSTOM_ROLE_FLAG})
    on conflict (unique_mark) do nothing returning id`.execute(tx.db)
  const roleId = rows[0]?.id
  if (roleId === undefined) throw taken()
  await storeGrant(tx, roleId, grant)
  tx.emit(MENU_CHANGED, {
    subject: `role:${roleId}`,
    version: 1,
    rooms: ['menu:role'],
    data: { roleId },
  })
  tx.log({ action: 'add', targetKind: 'role', targetId: roleId, after: logged(input, grant) })
  return roleId
}

function taken(): Problem {
  return new Problem(MARK_EXISTS, {}, { fields: { uniqueMark: 'access:fault.taken' } })
}

function wasOf({ checkedMenuIds, checkedButtons }: Role): Grant {
  return { menuIds: checkedMenuIds, buttons: checkedButtons }
}

/**
 * @throws Problem R-TREE for a button without its menu or an unknown menu, U-LAST for a permission
 * that administrators must keep
 */
async function grantOf(tx: CommandTx, input: Input): Promise<Grant> {
  const tree = await permissionTree(tx.db)
  const known = tickAll(tree)
  const ids = new Set(idsOf(tree))
  const granted = Object.entries(input.buttons).flatMap(([menu, codes]) =>
    codes.map((code) => `${menu}:${code}`),
  )
  if (input.menuIds.some((id) => !ids.has(id)) || granted.some((tick) => !known.has(tick)))
    throw new Problem(BUTTON_WITHOUT_MENU)
  const ticks = toTicks(tree, input.menuIds, input.buttons)
  if (buttonsWithoutMenu(ticks).length > 0) throw new Problem(BUTTON_WITHOUT_MENU)
  if (
    input.uniqueMark === ADMINISTRATOR &&
    [...KEPT_BY_ADMINISTRATORS].some((tick) => known.has(tick) && !ticks.has(tick))
  )
    throw new Problem(LAST_ADMINISTRATOR)
  return toGrant(tree, new Set([...ticks, ...KEPT_BY_ALL]))
}

function idsOf(tree: readonly PermissionNode[]): string[] {
  return tree.flatMap((node) => [node.id, ...idsOf(node.children)])
}

async function storeGrant(
  tx: CommandTx,
  roleId: string,
  { menuIds, buttons }: Grant,
): Promise<void> {
  await sql`
    delete from sys_role_menu rm where rm.role_id = ${roleId} and rm.menu_id <> all(${menuIds})`.execute(
    tx.db,
  )
  await sql`
    insert into sys_role_menu (role_id, menu_id, buttons)
    select ${roleId}, m.id,
      coalesce(array(select jsonb_array_elements_text(${JSON.stringify(buttons)}::jsonb -> m.name)), '{}')
      from sys_menu m where m.id = any(${menuIds})
    on conflict (role_id, menu_id) do update set buttons = excluded.buttons`.execute(tx.db)
}

async function signOutHolders(tx: CommandTx, roleId: string, releases: Releases): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select u.id from sys_user u where u.role_id = ${roleId} order by u.id`.execute(tx.db)
  for (const { id } of rows) {
    await endSessions(tx, id, 'role')
    for (const release of releases) await release(tx, id)
  }
}

function needs(tx: CommandTx, code: string): void {
  if (!staff(tx.actor).rights.permissions.has(code)) throw new Problem(FORBIDDEN)
}

function isSame(a: Grant, b: Grant): boolean {
  return ticksOfGrant(a).join(' ') === ticksOfGrant(b).join(' ')
}

function ticksOfGrant({ menuIds, buttons }: Grant): string[] {
  return [
    ...menuIds.map((id) => id.replace(/^M_/, '')),
    ...Object.entries(buttons).flatMap(([menu, codes]) => codes.map((code) => `${menu}:${code}`)),
  ].toSorted()
}

function logged(
  { name, status, dataScope }: Pick<Input, 'name' | 'status' | 'dataScope'>,
  { menuIds, buttons }: Grant,
): Record<string, unknown> {
  return {
    name,
    status,
    dataScope,
    menus: menuIds.map((id) => id.replace(/^M_/, '')).toSorted(),
    buttons: Object.entries(buttons)
      .flatMap(([menu, codes]) => codes.map((code) => `${menu}:${code}`))
      .toSorted(),
  }
}
