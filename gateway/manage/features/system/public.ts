/** What other features may use of system: the console's own texts, for exported files. */
export { localeFile, type Words } from './locale-file.ts'
