import type { ReactNode } from 'react'

export interface ScreenComponent {
  (): ReactNode
  /** Namespaces to load before it is shown, beside those of the features of the menu. */
  texts?: readonly string[]
}

/** Loads a screen; its named export is always `Screen`. */
export type LoadScreen = () => Promise<{ Screen: ScreenComponent }>

/** A constant route that shows one record, opened from lists: `/detail?orderId=…&from=<menu>`. */
export interface DetailRoute {
  load: LoadScreen
  /** Query field with the record id; each value has its own tab. */
  idParam: string
  /** i18n key of the tab title; the record id follows it. */
  title: string
  /** Menus whose button codes apply when `from` is missing. */
  menus: readonly string[]
  /** Opens in a separate window, without sidebar, header and tabs. */
  bare?: true
}

/** A page without a menu entry and without a record, available to every signed-in user. */
export interface ConstantRoute {
  load: LoadScreen
  /** i18n key of the tab title. */
  title: string
}

/** What a feature registers, from its `screens.ts`. */
export interface Feature {
  /** Component key of the server menu → screen. */
  screens: Record<string, LoadScreen>
  /** Path → constant route. */
  details: Record<string, DetailRoute>
}
