/** What the first screen shows of the workbench. */
export { Desk } from './Desk.tsx'
