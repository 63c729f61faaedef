/**
 * A problem is an expected refusal: something a person or a caller did that the rules do not allow.
 * Each has a stable id, the `code` of the envelope and an English message; the client translates by
 * id and falls back to the message.
 */
export interface ProblemBody {
  id: string
  params: Record<string, string | number>
}

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly id: string
  readonly code: number
  readonly params: Record<string, string | number>
  readonly data: unknown
  /** HTTP status: 200 for business outcomes, a real one only for transport. */
  readonly httpStatus: number

  constructor(
    kind: ProblemKind,
    params: Record<string, string | number> = {},
    data: unknown = null,
  ) {
    super(fill(kind.msg, params))
    this.id = kind.id
    this.code = kind.code
    this.httpStatus = kind.httpStatus ?? 200
    this.params = params
    this.data = data
  }
}

export interface ProblemKind {
  id: string
  code: number
  msg: string
  httpStatus?: number
}

/** Puts `params` into the `{name}` places of a message; an unknown name stays visible. */
export function fill(msg: string, params: Record<string, string | number>): string {
  return msg.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : place,
  )
}

/**
 * Problems common to all calls; a feature brings its own in
 * `shared/<feature>/<feature>-problems.ts`.
 */
export const SESSION_EXPIRED: ProblemKind = {
  id: 'G401',
  code: 401,
  msg: 'Session expired, please log in again',
}
export const FORBIDDEN: ProblemKind = {
  id: 'G403',
  code: 403,
  msg: 'You do not have permission for this operation',
}
export const NOT_FOUND: ProblemKind = { id: 'G404', code: 400, msg: 'Record not found' }
export const CHANGED_BY_OTHER: ProblemKind = {
  id: 'G409',
  code: 409,
  msg: 'Changed by {userName}; the latest values are shown',
}
/** `data.fields` maps a field name to a message key. */
export const INVALID_FIELDS: ProblemKind = {
  id: 'G422',
  code: 422,
  msg: 'Please check the marked fields',
}
export const KEY_REUSED: ProblemKind = {
  id: 'G-IK',
  code: 409,
  msg: 'This request was already used for another operation',
}
export const KEY_MISSING: ProblemKind = {
  id: 'G-KEY',
  code: 400,
  msg: 'This operation needs an idempotency key',
}
export const NOTHING_SELECTED: ProblemKind = {
  id: 'G-SEL',
  code: 400,
  msg: 'Please select at least one item',
}
export const TOO_MANY_ROWS: ProblemKind = {
  id: 'G-MAX',
  code: 400,
  msg: 'No more than {n} rows at once',
}
export const ALREADY_RUNNING: ProblemKind = {
  id: 'G-RUN',
  code: 409,
  msg: 'The same job is already running',
}
export const OWN_REQUEST: ProblemKind = {
  id: 'G-SELF',
  code: 400,
  msg: 'You cannot decide your own request',
}
export const TOO_LARGE: ProblemKind = {
  id: 'G-SIZE',
  code: 400,
  msg: 'The request is larger than {n} MB',
  httpStatus: 413,
}
/** `data.fields` names the field the file came in. */
export const FILE_REFUSED: ProblemKind = {
  id: 'G-FILE',
  code: 422,
  msg: 'The file cannot be taken; check what kind it is',
}
export const TOO_MANY_REQUESTS: ProblemKind = {
  id: 'G-RATE',
  code: 400,
  msg: 'Too many requests, try again in {s} s',
  httpStatus: 429,
}
export const NOT_AVAILABLE: ProblemKind = {
  id: 'G-DOWN',
  code: 400,
  msg: 'The service is not available, try again',
  httpStatus: 503,
}
/** Calls and messages are allowed at certain hours only. */
export const OUTSIDE_CALL_HOURS: ProblemKind = {
  id: 'C-WIN',
  code: 400,
  msg: 'Outside calling hours {from} to {to} IST',
}
export const BAD_REQUEST: ProblemKind = { id: 'G400', code: 400, msg: 'The request cannot be read' }

export interface Envelope<Data> {
  code: number
  msg: string
  data: Data
  problem?: ProblemBody
}
