/**
 * Files that a page will import, by what it will show, so that the browser requests them together
 * with the page instead of one import after another. The edge adds them to the page
 * (`gateway/edge/preloads.ts`).
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { type Language, LANGUAGES } from '#shared/kernel/languages.ts'
import type { Preloads } from '#shared/kernel/preloads.ts'
import { comesWith } from './join-chunks.ts'

const FRAME = {
  entries: [
    'client/app/SignedIn.tsx',
    'client/ui/frame/icons.ts',
    'client/ui/frame/screen-icons.ts',
    'client/shell/FrameShortcuts.tsx',
    'client/features/notifications/public.tsx',
  ],
  texts: ['session', 'shell', 'live', 'ui'],
}
/** Entry points and texts; a list is any page that is not the home page. */
const PLACES = {
  login: { entries: ['client/features/session/LoginScreen.tsx'], texts: ['session'] },
  home: {
    entries: [
      ...FRAME.entries,
      'client/features/session/HomePageScreen.tsx',
      'client/features/session/HomeTabs.tsx',
      'client/ui/frame/card-icons.ts',
    ],
    texts: [...FRAME.texts, 'home', 'access', 'notifications'],
  },
  list: {
    entries: [...FRAME.entries, 'client/ui/grid/DataGrid.tsx'],
    texts: [...FRAME.texts, 'grid'],
  },
}

/** A line of a feature's table of screens. */
const SCREEN = /'([\w/]+)': \(\) => import\('\.\/([^']+)'\)/g

/**
 * @param features folder of the features, with their tables of screens
 * @param start files of the page itself, requested anyway
 * @param urlOf address of an output
 */
export async function preloadsOf(
  outputs: Metafile['outputs'],
  features: string,
  start: ReadonlySet<string>,
  urlOf: (file: string) => string,
): Promise<Preloads> {
  const filesOf = (sources: readonly string[]): string[] => {
    const files = new Set(sources.flatMap((source) => [...comesWith(outputs, source)]))
    return [...files].filter((file) => !start.has(file)).map(urlOf)
  }
  const first = (language: Language, { entries, texts }: (typeof PLACES)['list']): string[] =>
    filesOf([
      ...texts.map((namespace) => textsOf(language, namespace)),
      ...(texts.includes('shell') ? [`client/base/locale-files/${language}.ts`] : []),
      ...entries,
    ])
  const byLanguage = <Value>(of: (language: Language) => Value) =>
    Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<
      Language,
      Value
    >
  const screens: Preloads['screens'] = {}
  for (const feature of await readdir(features)) {
    const hasTexts = Object.values(outputs).some(
      ({ entryPoint }) => entryPoint === textsOf('en', feature),
    )
    const table = await readFile(join(features, feature, 'screens.ts'), 'utf8').catch(() => '')
    for (const [, path, file] of table.matchAll(SCREEN)) {
      screens[`/${path}`] = {
        files: filesOf([`client/features/${feature}/${file}`]),
        texts: byLanguage((language) => (hasTexts ? filesOf([textsOf(language, feature)]) : [])),
      }
    }
  }
  return {
    first: byLanguage((language) => ({
      login: first(language, PLACES.login),
      home: first(language, PLACES.home),
      list: first(language, PLACES.list),
    })),
    screens,
  }
}

function textsOf(language: Language, namespace: string): string {
  return `locales/${language}/${namespace}.json`
}
