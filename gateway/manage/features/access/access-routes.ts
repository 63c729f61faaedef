import type { FastifyInstance } from 'fastify'
import { listChanges } from '#shared/access/changes-api.ts'
import * as operateLog from '#shared/access/operate-log-api.ts'
import * as roles from '#shared/access/roles-api.ts'
import * as users from '#shared/access/users-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { findChanges } from './change-queries.ts'
import { listClientErrors, listOperateLog, operateLogSelectors } from './operate-log-queries.ts'
import { resetUserPassword } from './reset-password.ts'
import { findRole, listRoles, permissionTree } from './role-queries.ts'
import { saveRole } from './save-role.ts'
import { addUser, editUser, type Releases } from './save-user.ts'
import { kickUser, setUserStatus, unlockUser } from './switch-user.ts'
import { findUser, listUsers, userDetail } from './user-queries.ts'
import { verifyChain } from './verify-chain.ts'

export interface AccessRoutesOptions {
  /** Releases the claims of a person who may not work any more. */
  releases: Releases
}

export function accessRoutes(
  app: FastifyInstance,
  context: AppContext,
  { releases }: AccessRoutesOptions,
): void {
  serveQuery(app, context, users.listUsers, ({ db }, input) => listUsers(db, input))
  serveQuery(app, context, users.userDetail, ({ db }, { userId }) => userDetail(db, userId))
  serveCommand(app, context, users.addUser, async (tx, input) => ({
    userId: await addUser(tx, input),
  }))
  serveCommand(app, context, users.editUser, async (tx, input) => {
    await editUser(tx, input, releases)
    return findUser(tx.db, input.userId)
  })
  serveCommand(app, context, users.setUserStatus, async (tx, input) => {
    await setUserStatus(tx, input, releases)
    return null
  })
  serveCommand(app, context, users.unlockUser, async (tx, input) => {
    await unlockUser(tx, input)
    return null
  })
  serveCommand(app, context, users.resetUserPassword, async (tx, input) => {
    await resetUserPassword(tx, input)
    return null
  })
  serveCommand(app, context, users.kickUser, async (tx, input) => {
    await kickUser(tx, input)
    return null
  })

  serveQuery(app, context, roles.listRoles, ({ db }, input) => listRoles(db, input))
  serveQuery(app, context, roles.roleDetail, ({ db }, { roleId }) => findRole(db, roleId))
  serveQuery(app, context, roles.menuTreeOfRole, async ({ db }, { roleId }) => ({
    tree: await permissionTree(db),
    checked: roleId === undefined ? [] : (await findRole(db, roleId)).checkedMenuIds,
  }))
  serveCommand(app, context, roles.saveRole, (tx, input) => saveRole(tx, input, releases))

  serveQuery(app, context, operateLog.listOperateLog, ({ db }, input) => listOperateLog(db, input))
  serveQuery(app, context, operateLog.operateLogSelectors, ({ db }) => operateLogSelectors(db))
  serveQuery(app, context, operateLog.verifyOperateLog, ({ db }, { after }) =>
    verifyChain(db, after ?? 0),
  )
  serveQuery(app, context, listChanges, ({ db }, input) => findChanges(db, input))
  serveQuery(app, context, operateLog.listClientErrors, ({ db }, input) =>
    listClientErrors(db, input),
  )
}
