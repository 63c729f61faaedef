/**
 * Every role opens every screen of its menu; every screen is checked in two other languages, light
 * and dark, and with texts twice as long.
 */
import { expect, test } from 'vitest'
import { ROLES } from '#shared/session/roles.ts'
import { clippedTexts } from '#tests/support/doubled-texts.ts'
import {
  englishTexts,
  languageFaults,
  overlayFaults,
  screenStage,
  WALK_MS,
  walkByAddress,
  walkByMenu,
} from '#tests/support/screen-walk.ts'

const stage = screenStage()

test.each(ROLES.map((role) => role.mark))(
  '%s can open each screen of the menu from the server',
  { timeout: WALK_MS },
  async (mark) => {
    await walkByMenu(stage, mark, stage.screens.menus.get(mark) ?? [])
  },
)

test.each(
  ['zh', 'es', 'ja', 'vi', 'id', 'th'].flatMap(
    (language, n) =>
      [
        [language, n % 2 === 0],
        ...(language === 'zh' || language === 'th' ? [[language, n % 2 !== 0]] : []),
      ] as [string, boolean][],
  ),
)(
  '%s (dark: %s): no screen, form or menu has a serious axe finding, English text or cut text',
  { timeout: WALK_MS },
  async (language, dark) => {
    const english = englishTexts(language)
    const faults: Record<string, string[]> = {}
    await walkByAddress(stage, stage.screens.every, { language, dark }, async (page, path) => {
      faults[path] = [
        ...(await languageFaults(page, english)),
        ...(await overlayFaults(page, english)),
      ]
    })
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((path) => [path, []])))
  },
)

test(
  'no text of any screen is cut off when every text is twice as long',
  { timeout: WALK_MS },
  async () => {
    const faults: Record<string, string[]> = {}
    await walkByAddress(stage, stage.screens.every, { doubled: true }, async (page, path) => {
      faults[path] = await clippedTexts(page)
    })
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((path) => [path, []])))
  },
)
