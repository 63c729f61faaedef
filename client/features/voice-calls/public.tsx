/** What other features may use of calls by the exchange. */
export { CallHint } from './CallHint.tsx'
export { CallEnd, CallState } from './CallState.tsx'
