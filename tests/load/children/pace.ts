/**
 * Work at a steady rate, whatever each piece takes; a source that cannot keep up runs without
 * pause.
 */
import { sharedNow } from '../measure.ts'

/** @returns when all work has ended */
export async function atPace(
  perSecond: number,
  count: number,
  one: (n: number) => Promise<void> | void,
): Promise<void> {
  const open = new Set<Promise<void>>()
  const begin = sharedNow()
  for (let n = 0; n < count; n += 1) {
    const wait = begin + (n * 1_000) / perSecond - sharedNow()
    // Also when late, so that written data can be sent.
    await new Promise<void>((resume) =>
      wait > 1 ? setTimeout(resume, wait) : setImmediate(resume),
    )
    const begun = Promise.resolve(one(n))
    open.add(begun)
    void begun.finally(() => open.delete(begun)).catch(() => undefined)
  }
  await Promise.all(open)
}
