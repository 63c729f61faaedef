/** What others may use of this feature. */
export { checkArchives } from './removal/log-archive.ts'
