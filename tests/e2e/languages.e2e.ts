/** Every screen, with forms and menus, in other languages: translation, layout, accessibility. */
import { expect, test } from 'vitest'
import { seriousFindings } from '#tests/support/browser.ts'
import {
  englishTexts,
  languageFaults,
  overlayFaults,
  screenStage,
  textFaults,
  WALK_MS,
  walkByAddress,
} from '#tests/support/screen-walk.ts'

const stage = screenStage()

/** Axe takes longer than the rest of a visit, forms and menus as long: one screen of so many. */
const AXE_EACH = 3
const OVERLAYS_EACH = 2

// Half of the screens in each; `npm run test:long` shows everything of every screen in every language.
test.each([
  ['zh', false, 0],
  ['th', true, 1],
] as const)(
  '%s (dark: %s): no screen, form or menu has English text, cut text or a serious axe finding at 1366 px',
  { timeout: WALK_MS },
  async (language, dark, half) => {
    const english = englishTexts(language)
    const outside = await stage.visit({ dark, language })
    await outside.page.goto('/login')
    await outside.page.locator('input[autocomplete="username"]').waitFor()
    const faults: Record<string, string[]> = { login: await seriousFindings(outside.page) }
    const shown = stage.screens.every.filter((_, at) => at % 2 === half)
    const oneOf = (many: number) =>
      new Set(shown.filter((_, at) => at % many === 0).map(({ path }) => path))
    const [toAxe, opened] = [oneOf(AXE_EACH), oneOf(OVERLAYS_EACH)]
    await walkByAddress(stage, shown, { language, dark }, async (page, path) => {
      const faultsOf = toAxe.has(path) ? languageFaults : textFaults
      faults[path] = [
        ...(await faultsOf(page, english)),
        ...(opened.has(path) ? await overlayFaults(page, english) : []),
      ]
    })
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((path) => [path, []])))
  },
)
