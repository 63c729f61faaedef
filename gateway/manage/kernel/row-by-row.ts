import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { NOTHING_SELECTED, Problem } from '#shared/kernel/problem.ts'

/**
 * A bulk call done at once: a refused row leaves no trace and does not stop the others. A row must
 * refuse before its first write, because all rows share the command's transaction. Rows come in the
 * order of their ids, so that two bulk calls never wait for each other.
 * @throws Problem G-SEL when nothing is selected
 */
export async function rowByRow(
  ids: readonly string[],
  run: (id: string) => Promise<unknown>,
): Promise<BulkResult> {
  if (ids.length === 0) throw new Problem(NOTHING_SELECTED)
  const result: BulkResult = { ok: [], failed: [] }
  for (const id of [...new Set(ids)].toSorted()) {
    try {
      await run(id)
      result.ok.push(id)
    } catch (error) {
      result.failed.push(failedRow(id, error))
    }
  }
  return result
}

/** @throws the error itself when it is no refusal */
export function failedRow(id: string, error: unknown): BulkResult['failed'][number] {
  if (error instanceof Problem)
    return { id, code: error.code, msg: error.message, problem: error.id, params: error.params }
  if (error instanceof IllegalTransition) return { id, code: 400, msg: error.message }
  throw error
}
