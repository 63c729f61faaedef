/** Every screen, with its forms and menus, in other languages: accessibility, translation and layout. */
import { expect, test } from 'vitest'
import { seriousFindings } from '#tests/support/browser.ts'
import {
  englishTexts,
  languageFaults,
  overlayFaults,
  screenStage,
  WALK_MS,
  walkByAddress,
} from '#tests/support/screen-walk.ts'

const stage = screenStage()

// Half of the screens in each; `npm run test:long` shows every screen in every language.
test.each([
  ['zh', false, 0],
  ['th', true, 1],
] as const)(
  '%s (dark: %s): no screen, form or menu has a serious axe finding, English text or cut text at 1366 px',
  { timeout: WALK_MS },
  async (language, dark, half) => {
    const english = englishTexts(language)
    const outside = await stage.visit({ dark, language })
    await outside.page.goto('/login')
    await outside.page.locator('input[autocomplete="username"]').waitFor()
    const faults: Record<string, string[]> = { login: await seriousFindings(outside.page) }
    await walkByAddress(
      stage,
      stage.screens.every.filter((_, at) => at % 2 === half),
      { language, dark },
      async (page, path) => {
        faults[path] = [
          ...(await languageFaults(page, english)),
          ...(await overlayFaults(page, english)),
        ]
      },
    )
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((path) => [path, []])))
  },
)
