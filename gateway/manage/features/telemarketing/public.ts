/** What other features may use of telemarketing. */
export { SEGMENT_JOINS } from './segments/segment-of.ts'
