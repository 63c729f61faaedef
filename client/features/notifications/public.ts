/** What other features may use of notifications. */
export { jobWord } from './job-word.ts'
