import { expect, test } from 'vitest'
import { isRegisteredIcon } from './icons.ts'
import { PAGE_ICONS } from './page-icons.ts'
import { SCREEN_PATHS } from './screen-icons.ts'

const SCREENS = new Set(
  Object.keys(SCREEN_PATHS).map((name) =>
    name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase(),
  ),
)

test('every screen has an icon of its own, and each is registered', () => {
  const icons = Object.values(PAGE_ICONS)
  expect(new Set(icons).size).toBe(icons.length)
  expect(icons.filter((icon) => !isRegisteredIcon(icon) && !SCREENS.has(icon))).toEqual([])
})
