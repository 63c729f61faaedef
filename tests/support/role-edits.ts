/** A role as its editor reads it and sends it back. */
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { listRoles, roleDetail, type saveRole } from '#shared/access/roles-api.ts'
import type { Person } from './manage.ts'

export type RoleDetail = DataOf<typeof roleDetail>
export type RoleInput = InputOf<typeof saveRole>

export async function roleOf(administrator: Person, mark: string): Promise<RoleDetail> {
  const { rows } = await administrator.call(listRoles, { uniqueMark: mark })
  return administrator.call(roleDetail, {
    roleId: rows.find((role) => role.uniqueMark === mark)?.roleId as string,
  })
}

export const asInput = ({
  roleId,
  version,
  name,
  uniqueMark,
  status,
  dataScope,
  checkedMenuIds: menuIds,
  checkedButtons: buttons,
}: RoleDetail): RoleInput => ({
  roleId,
  version,
  name,
  uniqueMark,
  status,
  dataScope,
  menuIds,
  buttons,
})
