import type { CallersResult } from './children/callers.ts'
import type { HttpLoad } from './children/http-load.ts'
import type { Child } from './processes.ts'

/** Calls of a load process. @throws Error when any is refused: a refusal is faster than the work */
export async function answered(load: Child, what: HttpLoad): Promise<CallersResult> {
  const result = await load.ask<CallersResult>('run', what)
  const { count, first } = result.refused
  if (count > 0) throw new Error(`${what.path} was refused ${count} times, the first: ${first}`)
  return result
}
