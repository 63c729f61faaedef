import type { ComponentType } from 'react'

/** Loads a screen; the named export is always `Screen`. */
export type LoadScreen = () => Promise<{ Screen: ComponentType }>

/** A constant route that shows one record, opened from lists: `/detail?orderId=…&from=<menu>`. */
export interface DetailRoute {
  load: LoadScreen
  /** Query field that names the record: one tab per value. */
  idParam: string
  /** i18n key of the tab title; the record's id follows it. */
  title: string
  /** Menus whose buttons the page shows when `from` is missing. */
  menus: readonly string[]
  /** A window of its own beside another page: no sidebar, header or tabs. */
  bare?: true
}

/** A page without a menu and without a record, for everybody who is signed in. */
export interface ConstantRoute {
  load: LoadScreen
  /** i18n key of the tab title. */
  title: string
}

/** What a feature brings to the console, from its `screens.ts`. */
export interface Feature {
  /** Component key of the server menu → screen. */
  screens: Record<string, LoadScreen>
  /** Path → constant route. */
  details: Record<string, DetailRoute>
}
