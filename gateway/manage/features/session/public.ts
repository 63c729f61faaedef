/** What other features may use of accounts and sessions. */
export { addressOf, isOverTls } from './authenticate.ts'
export { endSessions } from './end-sessions.ts'
export { lockedUntil, unlockAccount } from './locked-account.ts'
export { hashPassword } from './password.ts'
export { rightsOf } from './rights-of.ts'
export { refuseUnfitPassword } from './password-policy.ts'
export { hashOf, newToken } from './session-store.ts'
