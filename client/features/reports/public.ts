/** What other features may use of reports. */
export { useMeasureHelp } from './measure-help.ts'
