/** Reloads: to a new version, out of a state nothing else ends, and once a night. Never into a page that cannot be fetched. */
import { istDay, istMidnight } from '#shared/kernel/time.ts'

const CHECK_MS = 300_000
const SETTLE_MS = 2_000
const NIGHT_HOUR_MS = 4 * 3_600_000
const DAY_MS = 86_400_000
const RELOADED_KEY = 'wall-reloaded'
/** A page that does not help must not be loaded again and again. */
const APART_MS = 300_000

export const BUILD = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? ''

/** Build id of the page the server gives now; null when it gives none. */
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

/** Loads the page anew when the server has another version of it. */
export async function followVersion(): Promise<void> {
  const build = await buildOfServer()
  if (build !== null && build !== BUILD) reload()
}

/** Loads the page anew as soon as the server can give it, at most once in five minutes. */
export async function reloadWhenReachable(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_KEY) ?? 0) < APART_MS) return
  if ((await buildOfServer()) === null) return
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()))
  reload()
}

/** Looks for a new version now and then, and starts anew at 04:00 IST, when nobody watches. */
export function keepCurrent(): void {
  setInterval(() => void followVersion(), CHECK_MS)
  const now = Date.now()
  const night = istMidnight(istDay(now)).getTime() + NIGHT_HOUR_MS
  const wait = (night > now ? night : night + DAY_MS) - now
  // not all screens of a floor at once
  setTimeout(() => void reloadWhenReachable(), wait + Math.random() * 600_000)
}

function reload(): void {
  setTimeout(() => location.reload(), Math.random() * SETTLE_MS)
}
