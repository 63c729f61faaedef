/**
 * Calls about the own account. Apart from session-api.ts, because the login page needs none of
 * them.
 */
import Type from 'typebox'
import { endpoint, Id, Nothing, Nullable, OneOf } from '#shared/kernel/endpoint.ts'

// the pattern is checked as P-FMT and not as a field fault, because callers rely on the problem id
const Password = () => Type.String({ minLength: 1, maxLength: 200 })

export const changePassword = endpoint({
  method: 'POST',
  path: '/sysUser/resetPwd',
  access: 'any',
  unsettled: true,
  input: Type.Object(
    {
      username: Type.String({ minLength: 1, maxLength: 64 }),
      oldPwd: Password(),
      newPwd: Password(),
      confirmNewPwd: Password(),
    },
    { additionalProperties: false },
  ),
  data: Nothing(),
  audit: 'changePassword',
  summary:
    "Replaces the caller's own password and ends all their sessions; the answer has success beside code and msg",
})

export const verifyLogin = endpoint({
  method: 'POST',
  path: '/login/verify',
  access: 'none',
  input: Type.Object(
    {
      challenge: Type.String({ minLength: 1, maxLength: 100 }),
      code: Type.String({ minLength: 6, maxLength: 20 }),
    },
    { additionalProperties: false },
  ),
  data: Type.Object({ token: Type.String() }),
  audit: 'login',
  summary: 'Completes a two-factor login by a code of the app or a recovery code',
})

export const mySessions = endpoint({
  method: 'GET',
  path: '/session/list',
  access: 'any',
  input: Type.Object({}),
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        sessionId: Type.String(),
        ip: Nullable(Type.String()),
        /** User agent as the browser sent it. */
        agent: Nullable(Type.String()),
        loginTime: Type.String(),
        lastSeen: Type.String(),
        /** Whether it is the session of this call. */
        current: Type.Boolean(),
      }),
    ),
  }),
  summary: "The caller's own sessions",
})

export const endMySession = endpoint({
  method: 'POST',
  path: '/session/end',
  access: 'any',
  /** Without an id: all except the session of the call. */
  input: Type.Object({ sessionId: Type.Optional(Id()) }, { additionalProperties: false }),
  data: Type.Object({ ended: Type.Integer() }),
  audit: 'endSession',
  summary: "Ends one of the caller's own other sessions, or all of them",
})

export const twoFactorState = endpoint({
  method: 'GET',
  path: '/code/valid/state',
  access: 'any',
  unsettled: true,
  input: Type.Object({}),
  data: Type.Object({
    twoFactor: Type.Boolean(),
    required: Type.Boolean(),
    recoveryLeft: Type.Integer(),
  }),
  summary: 'Whether the caller has two-factor login, and how many recovery codes are left',
})

export const TWO_FACTOR_PERMISSION = 'user:twoFactor'

export const twoFactorSecret = endpoint({
  method: 'GET',
  path: '/code/valid/secret/:userId',
  // another account needs user:twoFactor
  access: 'any',
  unsettled: true,
  input: Type.Object({ userId: Id() }),
  data: Type.Object({
    otpauthUri: Type.String(),
    secret: Type.String(),
    recoveryCodes: Type.Array(Type.String()),
  }),
  audit: 'twoFactorSecret',
  summary:
    'A new secret and ten recovery codes, shown once; a code must confirm them within ten minutes',
})

export const twoFactorSwitch = endpoint({
  method: 'GET',
  path: '/code/valid/save/:userId/:switchVal/:validSecret',
  // another account needs user:twoFactor
  access: 'any',
  unsettled: true,
  input: Type.Object({
    userId: Id(),
    switchVal: OneOf(['0', '1']),
    validSecret: Type.String({ pattern: '^\\d{6}$' }),
  }),
  data: Type.Object({ twoFactor: Type.Boolean() }),
  audit: 'twoFactorSwitch',
  summary: 'Switches two-factor login: on by a code of the new secret, off by a code of the caller',
})
