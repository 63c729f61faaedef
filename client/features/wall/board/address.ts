/**
 * Settings in the URL of a wall screen, for televisions without a keyboard. They override what a
 * supervisor set. Pure.
 */
import { isLanguage, type Language } from '#shared/kernel/languages.ts'
import {
  WALL_PROFILES,
  WALL_SCENES,
  WALL_THEMES,
  type WallProfile,
  type WallScene,
  type WallTheme,
} from '#shared/wall/wall-sets.ts'

export interface WallAddress {
  profile: WallProfile | null
  rotateSec: number | null
  theme: WallTheme | null
  /** Pinned. */
  scene: WallScene | null
  language: Language | null
}

const ROTATE_MIN = 5
const ROTATE_MAX = 600

/** @param search with its question mark, or empty */
export function readAddress(search: string): WallAddress {
  const query = new URLSearchParams(search)
  const rotate = Number(query.get('rotate') ?? Number.NaN)
  const language = query.get('lang')
  return {
    profile: oneOf(WALL_PROFILES, query.get('profile')),
    rotateSec:
      Number.isInteger(rotate) && rotate >= ROTATE_MIN && rotate <= ROTATE_MAX ? rotate : null,
    theme: oneOf(WALL_THEMES, query.get('theme')),
    scene: oneOf(WALL_SCENES, query.get('scene')),
    language: isLanguage(language) ? language : null,
  }
}

function oneOf<Value extends string>(values: readonly Value[], given: string | null): Value | null {
  return values.find((value) => value === given) ?? null
}
