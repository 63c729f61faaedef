/** What the first screen shows of the workbench. */
export { Workbench } from './Workbench.tsx'
