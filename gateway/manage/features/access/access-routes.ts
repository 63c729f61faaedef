import type { FastifyInstance } from 'fastify'
import * as records from '#shared/access/records-api.ts'
import * as roles from '#shared/access/roles-api.ts'
import * as users from '#shared/access/users-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { listClientErrors, listRecords, recordSelectors } from './record-queries.ts'
import { resetUserPassword } from './reset-password.ts'
import { findRole, listRoles, permissionTree } from './role-queries.ts'
import { saveRole } from './save-role.ts'
import { addUser, editUser, type Releases } from './save-user.ts'
import { kickUser, setUserStatus, unlockUser } from './switch-user.ts'
import { findUser, listUsers, userDetail } from './user-queries.ts'
import { verifyChain } from './verify-chain.ts'

export interface AccessRoutesOptions {
  /** What is freed when somebody may not work any more. */
  releases: Releases
}

export function accessRoutes(
  app: FastifyInstance,
  house: House,
  { releases }: AccessRoutesOptions,
): void {
  serveQuery(app, house, users.listUsers, ({ db }, input) => listUsers(db, input))
  serveQuery(app, house, users.userDetail, ({ db }, { userId }) => userDetail(db, userId))
  serveCommand(app, house, users.addUser, async (cx, input) => ({
    userId: await addUser(cx, input),
  }))
  serveCommand(app, house, users.editUser, async (cx, input) => {
    await editUser(cx, input, releases)
    return findUser(cx.db, input.userId)
  })
  serveCommand(app, house, users.setUserStatus, async (cx, input) => {
    await setUserStatus(cx, input, releases)
    return null
  })
  serveCommand(app, house, users.unlockUser, async (cx, input) => {
    await unlockUser(cx, input)
    return null
  })
  serveCommand(app, house, users.resetUserPassword, async (cx, input) => {
    await resetUserPassword(cx, input)
    return null
  })
  serveCommand(app, house, users.kickUser, async (cx, input) => {
    await kickUser(cx, input)
    return null
  })

  serveQuery(app, house, roles.listRoles, ({ db }, input) => listRoles(db, input))
  serveQuery(app, house, roles.roleDetail, ({ db }, { roleId }) => findRole(db, roleId))
  serveQuery(app, house, roles.menuTreeOfRole, async ({ db }, { roleId }) => ({
    tree: await permissionTree(db),
    checked: roleId === undefined ? [] : (await findRole(db, roleId)).checkedMenuIds,
  }))
  serveCommand(app, house, roles.saveRole, (cx, input) => saveRole(cx, input, releases))

  serveQuery(app, house, records.listRecords, ({ db }, input) => listRecords(db, input))
  serveQuery(app, house, records.recordSelectors, ({ db }) => recordSelectors(db))
  serveQuery(app, house, records.verifyRecords, ({ db }, { after }) => verifyChain(db, after ?? 0))
  serveQuery(app, house, records.listClientErrors, ({ db }, input) => listClientErrors(db, input))
}
