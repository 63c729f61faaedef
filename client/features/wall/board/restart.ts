/**
 * Reloads the page: for a new version, to leave a stuck state, and once a night. It never reloads
 * while the page cannot be fetched.
 */
import { istDay, istMidnight } from '#shared/kernel/time.ts'

const CHECK_MS = 300_000
const SETTLE_MS = 2_000
const NIGHT_HOUR_MS = 4 * 3_600_000
const DAY_MS = 86_400_000
const RELOADED_KEY = 'wall-reloaded'
/** Prevents a reload loop when a reload does not help. */
const APART_MS = 300_000

export const BUILD = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? ''

/** Build id of the page the server serves now; null when it serves none. */
async function buildOfServer(): Promise<string | null> {
  try {
    const answer = await fetch('/wall', {
      cache: 'no-store',
      headers: { Accept: 'text/html' },
      signal: AbortSignal.timeout(10_000),
    })
    return answer.ok
      ? (/<meta name="build" content="([^"]*)"/.exec(await answer.text())?.[1] ?? null)
      : null
  } catch {
    return null
  }
}

/** Reloads when the server has another version of the page. */
export async function followVersion(): Promise<void> {
  const build = await buildOfServer()
  if (build !== null && build !== BUILD) reload()
}

/** Reloads as soon as the server can serve the page, at most once in five minutes. */
export async function reloadWhenReachable(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_KEY) ?? 0) < APART_MS) return
  if ((await buildOfServer()) === null) return
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()))
  reload()
}

/** Checks for a new version regularly, and reloads at 04:00 IST when nobody watches. */
export function keepCurrent(): void {
  setInterval(() => void followVersion(), CHECK_MS)
  const now = Date.now()
  const night = istMidnight(istDay(now)).getTime() + NIGHT_HOUR_MS
  const wait = (night > now ? night : night + DAY_MS) - now
  // spreads the reloads of a floor's screens
  setTimeout(() => void reloadWhenReachable(), wait + Math.random() * 600_000)
}

function reload(): void {
  setTimeout(() => location.reload(), Math.random() * SETTLE_MS)
}
