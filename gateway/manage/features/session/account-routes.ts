import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  changePassword as changePasswordCall,
  endMySession as endMySessionCall,
  mySessions as mySessionsCall,
  twoFactorSecret,
  twoFactorState,
  twoFactorSwitch,
} from '#shared/session/account-api.ts'
import { avatarPicture, saveAvatar as saveAvatarCall } from '#shared/session/avatar-api.ts'
import { type Actor, staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveOpen, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { mustEnrol } from './authenticate.ts'
import { changePassword } from './change-password.ts'
import { endMySession, mySessions } from './my-sessions.ts'
import { openAvatar, saveAvatar } from './avatar.ts'
import { accountFor } from './two-factor/account-for.ts'
import { offerSecret } from './two-factor/offer-secret.ts'
import { switchTwoFactor } from './two-factor/switch-two-factor.ts'

/**
 * Calls with a password, a code or a secret run their command themselves, so that neither input nor
 * answer is stored for idempotency.
 */
export function accountRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, mySessionsCall, async ({ db, actor }) => ({
    rows: await mySessions(db, actor),
  }))
  serveCommand(app, context, endMySessionCall, async (tx, { sessionId }) => ({
    ended: await endMySession(tx, staff(tx.actor), sessionId),
  }))

  serveUpload(app, context, saveAvatarCall, async (tx, _input, files) => ({
    avatar: await saveAvatar(tx, files),
  }))
  serveQuery(app, context, avatarPicture, ({ db }, input) => openAvatar(context, db, input))

  serveQuery(app, context, twoFactorState, async ({ db, actor }) => {
    const account = await accountFor(db, actor, actor.userId)
    return {
      twoFactor: account.two_factor,
      required: await mustEnrol(context, { two_factor: false }),
      recoveryLeft: account.recovery_left,
    }
  })
  serveOpen(app, context, twoFactorSecret, (request, _reply, { userId }) =>
    offerSecret(context, callerOf(request), userId),
  )
  serveOpen(app, context, twoFactorSwitch, (request, _reply, input) =>
    switchTwoFactor(context, callerOf(request), {
      userId: input.userId,
      on: input.switchVal === '1',
      code: input.validSecret,
    }),
  )

  // this call's answer has `success` beside code and msg
  app.addHook('onSend', async (request, _reply, payload) => {
    if (
      request.routeOptions.config?.endpoint !== changePasswordCall ||
      typeof payload !== 'string' ||
      !payload.endsWith('}')
    )
      return payload
    return `${payload.slice(0, -1)},"success":${payload.startsWith('{"code":200,')}}`
  })
  serveOpen(app, context, changePasswordCall, async (request, _reply, input) => {
    await changePassword(context, callerOf(request), input)
    return null
  })
}

function callerOf(request: FastifyRequest): StaffActor {
  return staff(request.actor as Actor)
}
