/** What other features may use of the calling robot. */
export { endTasksOfBorrower, endTasksOfCase } from './person-first.ts'
