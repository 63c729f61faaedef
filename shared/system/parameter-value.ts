/** Valid values of a parameter: by its type, and for some built-in ones within bounds. */

import { APPROVAL_KINDS, CHOSEN_KINDS, FIXED_KINDS } from '#shared/approvals/approval-sets.ts'

export const PARAMETER_TYPES = ['int', 'decimal', 'text', 'bool', 'json', 'time'] as const
export type ParameterType = (typeof PARAMETER_TYPES)[number]

const FORMS: Readonly<Record<Exclude<ParameterType, 'text' | 'json'>, RegExp>> = {
  int: /^-?\d{1,15}$/,
  decimal: /^-?\d{1,15}(\.\d{1,6})?$/,
  bool: /^(true|false)$/,
  time: /^([01]\d|2[0-3]):[0-5]\d$/,
}

/** The hours in which the RBI allows recovery calls; they can only be narrowed. */
const TIMES: Readonly<Record<string, readonly [string, string]>> = {
  'collection.callFrom': ['08:00', '19:00'],
  'collection.callTo': ['08:00', '19:00'],
}
/** Built-in integers are never negative; these must be positive, or nobody could log in or work. */
const AT_LEAST_ONE = /^(session|login|board|bulk|export)\.|(Minutes|Seconds|Hours|Days|max\w*|Max)$/

/** Where people open the console: an origin, as in `PUBLIC_ORIGIN`. */
const CONSOLE = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/

/** @param builtInCode code of a built-in parameter, null for a custom one */
export function fitsParameter(
  type: ParameterType,
  value: string,
  builtInCode: string | null,
): boolean {
  if (type === 'json') return isJson(value)
  if (type !== 'text' && !FORMS[type].test(value)) return false
  if (builtInCode === null) return true
  if (builtInCode === 'approval.kinds') return areKinds(value.split(','))
  if (builtInCode === 'report.consoleAddress') return value === 'none' || CONSOLE.test(value)
  if (type === 'text') return value !== ''
  if (type === 'int' && Number(value) < (AT_LEAST_ONE.test(builtInCode) ? 1 : 0)) return false
  const bounds = TIMES[builtInCode]
  return bounds === undefined || (value >= bounds[0] && value <= bounds[1])
}

/** Each kind once; kinds about money that always need approval cannot be left out. */
function areKinds(kinds: readonly string[]): boolean {
  const named = APPROVAL_KINDS.filter((kind) => !FIXED_KINDS.includes(kind))
  const known: readonly string[] = named
  return (
    new Set(kinds).size === kinds.length &&
    kinds.every((kind) => known.includes(kind)) &&
    named.every((kind) => CHOSEN_KINDS.includes(kind) || kinds.includes(kind))
  )
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
