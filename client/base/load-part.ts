/**
 * Loads parts of the client: chunks and texts. What needs one that nobody delivers waits until the
 * server is back; it does not take the view away.
 */
import { lazy } from 'react'
import { nextTry } from './next-try.ts'

const RELOADED = 'reloaded-at'
const SOONEST_MS = 60_000

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
 * Loads a chunk. Chromium never asks again for one that failed, and a new version removes the old
 * ones: once the server answers, the page is loaded again, at most once a minute.
 * @throws whatever the import throws, when a reload has just not helped
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch {
    for (let attempt = 0; (await servedBuild()) === null; attempt += 1) await nextTry(attempt)
  }
  try {
    return await load()
  } catch (error) {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < SOONEST_MS) throw error
    sessionStorage.setItem(RELOADED, String(Date.now()))
    location.reload()
    return new Promise(() => undefined)
  }
}

/** `lazy` for everything: a rejected one of React's takes the view around it away for good. */
export const lazyPart: typeof lazy = (load) => lazy(() => loadPart(load))
