/**
 * The code of the screens, and what each cannot be shown without: its texts and icons. It is loaded
 * for the screen that is opened, for one whose link is pointed at, and for one screen of each group of
 * the menu while the page stands idle: what the screens of a group share (charts, forms, conditions)
 * is most of their code.
 *
 * A screen that is there is shown at once, and one that is not as soon as it has come. `lazy` and
 * `Suspense` would show that they wait each time, and React then holds back what comes after for
 * 300 ms.
 */
import type { LoadScreen, ScreenComponent } from '#client/base/feature.ts'
import { i18n } from '#client/base/i18n.ts'
import { loadPart } from '#client/base/load-part.ts'
import { registeredScreens } from '#client/base/screens.ts'
import { createStore, type Store, useStore } from '#client/base/store.ts'
import { featuresOf } from '#client/session/server-text.ts'
import { sessionStore } from '#client/session/session-store.ts'
import { registerScreenIcons } from '#client/ui/frame/icons.ts'

const stores = new Map<LoadScreen, Store<ScreenComponent | null>>()

/** @returns null until the screen is there; one that throws, when loading the page again did not help */
export function useScreen(load: LoadScreen): ScreenComponent | null {
  return useStore(storeOf(load))
}

function storeOf(load: LoadScreen): Store<ScreenComponent | null> {
  const known = stores.get(load)
  if (known) return known
  const store = keep(load, null)
  loadPart(() => withItsNeeds(load)).then(
    (Screen) => store.set(() => Screen),
    (error: unknown) =>
      store.set(() => () => {
        throw error
      }),
  )
  return store
}

function keep(load: LoadScreen, Screen: ScreenComponent | null): Store<ScreenComponent | null> {
  const store = createStore(Screen)
  stores.set(load, store)
  return store
}

async function withItsNeeds(load: LoadScreen): Promise<ScreenComponent> {
  const [{ Screen }] = await Promise.all([load(), registerScreenIcons(), featureTexts()])
  await i18n.loadNamespaces(Screen.texts ?? [])
  return Screen
}

/** A panel that waited for the texts of another feature would take the list beside it away meanwhile. */
async function featureTexts(): Promise<void> {
  const state = sessionStore.get()
  if (state.status === 'ready') await i18n.loadNamespaces(featuresOf(state.session.index))
}

/**
 * Who opens the screen is told what is wrong with it; before, a failure is silent.
 * @param path of its menu, after which most screens are named
 */
export async function loadAhead(path: string): Promise<void> {
  const load = registeredScreens().screens[path.slice(1)]
  if (load === undefined || stores.has(load) || !navigator.onLine) return
  const Screen = await withItsNeeds(load).catch(() => null)
  if (!stores.has(load) && Screen) keep(load, Screen)
}

export async function loadGroupsAhead(): Promise<void> {
  const state = sessionStore.get()
  if (state.status !== 'ready') return
  for (const first of state.session.index.redirects.values()) await loadAhead(first)
}
