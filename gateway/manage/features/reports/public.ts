/** What other parts may use of reports. */
export { proveRollups } from './prove-rollups.ts'
