/**
 * A problem is an expected refusal: something a person or a caller did that the rules do not allow.
 * Each has a stable id, the `code` of the envelope and an English message; the client translates by
 * id and falls back to the message.
 */
import { formatPaise } from './money.ts'

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
    super(kind.id === INVALID_FIELDS.id ? fieldSentence(data) : fill(kind.msg, params))
    this.id = kind.id
    this.code = kind.code
    this.httpStatus = kind.httpStatus ?? 200
    this.params = kind.id === INVALID_FIELDS.id ? { ...params, ...namesOf(data) } : params
    this.data = data
  }
}

export interface ProblemKind {
  id: string
  code: number
  msg: string
  httpStatus?: number
}

/**
 * Puts `params` into the `{name}` places of a message, paise at `{name, rupees}` as rupees; an unknown
 * name stays visible.
 */
export function fill(msg: string, params: Record<string, string | number>): string {
  return msg.replace(/\{(\w+)(, rupees)?\}/g, (place, name: string, isMoney?: string) => {
    if (!Object.hasOwn(params, name)) return place
    const value = params[name] ?? ''
    return isMoney === undefined ? String(value) : formatPaise(Number(value))
  })
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
/** No call has this method and path; never taken for a missing row. */
export const NO_SUCH_CALL: ProblemKind = {
  id: 'G-CALL',
  code: 404,
  msg: 'There is no such call',
}
/** `data.fields` maps a field name to a message key; the message names the fields. */
export const INVALID_FIELDS: ProblemKind = {
  id: 'G-FIELD',
  code: 400,
  msg: 'Please check the marked fields',
}

function faultsOf(data: unknown): [name: string, fault: string][] {
  const fields = (data as { fields?: unknown } | null)?.fields
  return fields !== null && typeof fields === 'object'
    ? Object.entries(fields as Record<string, string>)
    : []
}

/** `dueTimeFrom` → `Due time from`, as nothing on the server knows a field's label. */
function fieldName(path: string): string {
  const words = path.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function namesOf(data: unknown): { count: number; names: string } {
  const faults = faultsOf(data)
  return { count: faults.length, names: faults.map(([path]) => fieldName(path)).join(', ') }
}

/** `Reason is required`, `Amount is not correct`, `3 fields to check: Reason, Amount, Remark`. */
function fieldSentence(data: unknown): string {
  const faults = faultsOf(data)
  const { count, names } = namesOf(data)
  if (count === 0) return INVALID_FIELDS.msg
  if (count > 1) return `${count} fields to check: ${names}`
  return faults[0]?.[1] === 'required' ? `${names} is required` : `${names} is not correct`
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
/** A page behind the row that a total is counted to: reading up to it would read the book. */
export const PAGE_TOO_FAR: ProblemKind = {
  id: 'G-PAGE',
  code: 400,
  msg: 'A list is shown up to row {n}; set a filter to see what comes after it',
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
  code: 400,
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
/** A lock or a statement waited too long; what the call did was undone, and it may come again. */
export const BUSY: ProblemKind = {
  id: 'G-BUSY',
  code: 400,
  msg: 'Too much is under way at once; nothing was changed, try again',
  httpStatus: 503,
}
/** The disk of the database is nearly full; nothing was done. */
export const STORAGE_FULL: ProblemKind = {
  id: 'G-DISK',
  code: 400,
  msg: 'The storage of the server is nearly full; nothing was saved. An administrator must free space',
  httpStatus: 507,
}
/** The vendor that keeps it does not answer; HTTP 200, because the console itself is well. */
export const FILE_AWAY: ProblemKind = {
  id: 'G-AWAY',
  code: 400,
  msg: 'The file lies at a storage vendor that cannot be reached now; try again in a few minutes',
}
export const FILE_DAMAGED: ProblemKind = {
  id: 'G-LOST',
  code: 400,
  msg: 'The storage vendor no longer has this file as it was stored; administrators see it in the proof',
}
/** Calls and messages are allowed at certain hours only. */
export const OUTSIDE_CALL_HOURS: ProblemKind = {
  id: 'C-WIN',
  code: 400,
  msg: 'Outside calling hours {from} to {to} IST',
}
/** Of the line by which a person calls. */
export const LINE_FULL: ProblemKind = {
  id: 'C-LINE',
  code: 400,
  msg: 'Your line has made its {n} calls of the day',
}
/** The line by which a person calls carries as many calls as it can. */
export const LINE_BUSY: ProblemKind = {
  id: 'C-LINEB',
  code: 400,
  msg: 'Line {number} is busy (calls: {n} of {n}): record a result, or wait until {time} IST',
}
export const BAD_REQUEST: ProblemKind = { id: 'G400', code: 400, msg: 'The request cannot be read' }

export interface Envelope<Data> {
  code: number
  msg: string
  data: Data
  problem?: ProblemBody
}
