/** What other features may use of accounts and roles. */
export { roleWord } from './role-words.ts'
