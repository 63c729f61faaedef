/** Which build of the console this tab runs, and whether the server has another one by now. */
import { createStore } from '#client/app/store.ts'

export const newVersion = createStore(false)

export function buildId(): string {
  return document.querySelector('meta[name="build"]')?.getAttribute('content') ?? 'none'
}

/** Asks for the page itself: what it names is what a reload would bring. A line that is down answers nothing. */
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

/** A new version starts with a restart, which cuts the line: so this is asked when it comes back. */
export async function lookForNewVersion(): Promise<void> {
  const served = await servedBuild()
  if (served !== null && served !== buildId()) newVersion.set(true)
}

const RELOADED = 'reloaded-for'

/**
 * Loads a part of the console. One that is gone because there is a new version is found after a reload, which is tried once.
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
