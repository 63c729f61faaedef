/** The build this tab runs, and whether the server now has another one. */
import { createStore } from '#client/base/store.ts'

export const newVersion = createStore(false)

export function buildId(): string {
  return document.querySelector('meta[name="build"]')?.getAttribute('content') ?? 'none'
}

/** Fetches the page itself: it names what a reload would load. When offline there is no answer. */
export async function servedBuild(): Promise<string | null> {
  try {
    const page = await (
      await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } })
    ).text()
    return /<meta name="build" content="([^"]+)"/.exec(page)?.[1] ?? null
  } catch {
    return null
  }
}

/**
 * A new version restarts the server, which drops the connection, so this runs on every reconnect.
 */
export async function lookForNewVersion(): Promise<void> {
  const served = await servedBuild()
  if (served !== null && served !== buildId()) newVersion.set(true)
}

const RELOADED = 'reloaded-for'

/**
 * Loads a chunk. A chunk that a new version removed is found again after a reload, which is tried
 * once.
 * @throws whatever the import throws, when a reload would not help
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    const served = await servedBuild()
    if (served === null || served === buildId() || sessionStorage.getItem(RELOADED) === served)
      throw error
    sessionStorage.setItem(RELOADED, served)
    location.reload()
    return new Promise(() => undefined)
  }
}
