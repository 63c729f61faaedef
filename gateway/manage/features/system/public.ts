/** What other features may use of the system's set-up: the console's own words, for files that people read. */
export { localeFile, type Words } from './locale-file.ts'
