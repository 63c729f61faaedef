/**
 * The code of the screens, and what each cannot be shown without: its texts and icons. It is loaded
 * for the screen that is opened, for one whose link is pointed at, and for one screen of each group of
 * the menu while the page stands idle: what the screens of a group share (charts, forms, conditions)
 * is most of their code.
 */
import { type ComponentType, createElement, type ReactNode } from 'react'
import type { LoadScreen, ScreenComponent } from '#client/base/feature.ts'
import { i18n } from '#client/base/i18n.ts'
import { lazyPart } from '#client/base/load-part.ts'
import { registeredScreens } from '#client/base/screens.ts'
import { featuresOf } from '#client/session/server-text.ts'
import { sessionStore } from '#client/session/session-store.ts'
import { registerScreenIcons } from '#client/ui/frame/icons.ts'

/** Of what has no menu and is in the screens of others: each would hold them back when first shown. */
const SHARED_TEXTS = ['approvals', 'calls', 'conditions', 'exports', 'files', 'views']

/** One component per loader, for the lifetime of the page. */
const components = new Map<LoadScreen, ComponentType>()

/** @param Waiting shown until the screen is there */
export function screenElement(load: LoadScreen, Waiting: ComponentType): ReactNode {
  let component = components.get(load)
  if (!component) {
    component = lazyPart<ComponentType>(
      async () => ({ default: await withItsNeeds(load) }),
      Waiting,
    )
    components.set(load, component)
  }
  return createElement(component)
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
 * The person who opens the screen sees what is wrong with it; before, a failure is silent.
 * @param path of its menu, after which most screens are named
 */
export async function loadAhead(path: string): Promise<void> {
  const load = registeredScreens().screens[path.slice(1)]
  if (load === undefined || components.has(load) || !navigator.onLine) return
  const Screen = await withItsNeeds(load).catch(() => null)
  if (Screen && !components.has(load)) components.set(load, Screen)
}

/** While the first screen stands idle. */
export async function loadGroupsAhead(): Promise<void> {
  const state = sessionStore.get()
  if (state.status !== 'ready') return
  await i18n.loadNamespaces(SHARED_TEXTS)
  for (const first of state.session.index.redirects.values()) await loadAhead(first)
}
