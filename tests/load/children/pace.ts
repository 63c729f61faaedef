/** Work at a steady pace, whatever each piece takes; a source that cannot keep up goes on without a break. */
import { sharedNow } from '../measure.ts'

/** @returns when all that was begun has ended */
export async function atPace(
  perSecond: number,
  count: number,
  one: (n: number) => Promise<void> | void,
): Promise<void> {
  const open = new Set<Promise<void>>()
  const begin = sharedNow()
  for (let n = 0; n < count; n += 1) {
    const wait = begin + (n * 1_000) / perSecond - sharedNow()
    // also when late: what was written must have the chance to leave
    await new Promise<void>((resume) =>
      wait > 1 ? setTimeout(resume, wait) : setImmediate(resume),
    )
    const begun = Promise.resolve(one(n))
    open.add(begun)
    void begun.finally(() => open.delete(begun)).catch(() => undefined)
  }
  await Promise.all(open)
}
