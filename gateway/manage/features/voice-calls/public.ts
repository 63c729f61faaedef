/** What other features may use of calls by the exchange. */
export { ringExtension, voiceCallOf } from './ring-extension.ts'
