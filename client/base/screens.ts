/**
 * The screens of this build, registered once by `app/features.ts`: the frame shows them without
 * importing a feature.
 */
import type { ConstantRoute, DetailRoute, LoadScreen } from './feature.ts'

export interface Screens {
  /** By component key of the server's menu. */
  screens: Readonly<Record<string, LoadScreen>>
  /** Record pages, by path. */
  details: Readonly<Record<string, DetailRoute>>
  /** Pages without a menu entry and without a record, by path. */
  constants: Readonly<Record<string, ConstantRoute>>
  statusPages: Readonly<Record<'notFound' | 'notPermitted', LoadScreen>>
}

let registered: Screens | null = null

export function registerScreens(screens: Screens): void {
  registered = screens
}

/** @throws Error before `registerScreens` */
export function registeredScreens(): Screens {
  if (registered === null) throw new Error('no screens are registered')
  return registered
}
