/**
 * Loads parts of the client: chunks and texts. What needs one that nobody delivers waits until the
 * server is back; it does not take the view away.
 */
import {
  type ComponentProps,
  type ComponentType,
  createElement,
  type lazy,
  type ReactNode,
  Suspense,
} from 'react'
import { nextTry } from './next-try.ts'
import { createStore, useStore } from './store.ts'

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

/** With whatever properties, as React declares it. */
type AnyComponent = Awaited<ReturnType<Parameters<typeof lazy>[0]>>['default']

/**
 * A component whose code is loaded when it is first shown, with a boundary of its own for its texts.
 * React's `lazy` shows its fallback even for code that is there, holds back what comes after for
 * 300 ms, and a rejected one takes the view around it away for good.
 * @param Waiting shown until then
 */
export function lazyPart<Part extends AnyComponent>(
  load: () => Promise<{ default: Part }>,
  Waiting: ComponentType<ComponentProps<Part>> = () => null,
): (props: ComponentProps<Part>) => ReactNode {
  const store = createStore<AnyComponent | null>(null)
  let isAsked = false
  return function LazyPart(props) {
    if (!isAsked) {
      isAsked = true
      loadPart(load).then(
        (part) => store.set(() => part.default),
        (error: unknown) =>
          store.set(() => () => {
            throw error
          }),
      )
    }
    const waiting = createElement(Waiting, props)
    const Loaded = useStore(store)
    return createElement(
      Suspense,
      { fallback: waiting },
      Loaded === null ? waiting : createElement(Loaded, props),
    )
  }
}
