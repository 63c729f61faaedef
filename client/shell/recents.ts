/**
 * Recently visited addresses for the palette, per user in this browser, even after a tab is closed.
 */
import type { Tab } from '#client/screen/tabs.ts'

export type Recent = Pick<Tab, 'key' | 'path' | 'search'>

const MOST = 12
const KEPT = 'recents'

export function noteRecent(userId: string, { key, path, search }: Recent): void {
  try {
    localStorage.setItem(
      `${KEPT}:${userId}`,
      JSON.stringify(
        [{ key, path, search }, ...readRecents(userId).filter((one) => one.key !== key)].slice(
          0,
          MOST,
        ),
      ),
    )
  } catch {
    // Storage full or forbidden: the palette knows the open tabs all the same.
  }
}

/** The latest first. */
export function readRecents(userId: string): readonly Recent[] {
  try {
    const kept = JSON.parse(localStorage.getItem(`${KEPT}:${userId}`) ?? '[]') as Recent[]
    return kept.filter(
      (one) =>
        typeof one?.key === 'string' &&
        typeof one.path === 'string' &&
        one.path.startsWith('/') &&
        typeof one.search === 'string',
    )
  } catch {
    return []
  }
}

/** A logout removes them, so that no other user sees them. */
export function forgetRecents(): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(`${KEPT}:`)) localStorage.removeItem(key)
}
