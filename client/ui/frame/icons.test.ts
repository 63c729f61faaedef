import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const CLIENT = join(import.meta.dirname, '..', '..')
const sources = (readdirSync(CLIENT, { recursive: true }) as string[]).filter(
  (file) => /\.tsx?$/.test(file) && !/\.(test|e2e)\.tsx?$/.test(file),
)
const inFrame = namesIn('icons.ts')
const onScreens = namesIn('screen-icons.ts')
/** Files drawn without a screen: the frame, its menus, its start page and its messages. */
const FRAME = /^(?:app|shell|features\/(?:session|notifications))\/|^ui\/feedback\/Toasts\.tsx$/
const MENUS = join(CLIENT, '..', 'shared')

/** Names in the table of paths of a file. */
function namesIn(file: string): Set<string> {
  const table =
    /const \w*PATHS[^{]*\{([^}]*)\}/.exec(
      readFileSync(join(import.meta.dirname, file), 'utf8'),
    )?.[1] ?? ''
  return new Set(
    [...table.matchAll(/\w+/g)].map(([name]) =>
      name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase(),
    ),
  )
}

/** Names in `icon="…"`, `icon={… 'a' : 'b'}`, `rightIcon`, `endIcon`, `icon: '…'`. */
function iconsIn(source: string): string[] {
  const places = [
    ...source.matchAll(
      /\b(?:icon|rightIcon|endIcon|leftIcon)(?:=|: ?)("[^"]*"|'[^']*'|\{[^{}]*\})/g,
    ),
  ].map((m) => m[1] as string)
  return places
    .flatMap((place) =>
      place.startsWith('{')
        ? [...place.matchAll(/[?:{]\s*'([a-z][a-z-]*)'/g)].map((m) => m[1] as string)
        : [place.slice(1, -1)],
    )
    .filter(Boolean)
}

test('the scanner finds icon names in all supported forms', () => {
  expect(
    iconsIn(
      `<Icon icon="home" /><Button icon={on ? 'pin' : 'unpin'} endIcon='caret-down' />; const a = { icon: 'eye-open' }`,
    ),
  ).toEqual(['home', 'pin', 'unpin', 'caret-down', 'eye-open'])
})

test('every icon used in the client is registered', () => {
  const missing = sources.flatMap((file) =>
    iconsIn(readFileSync(join(CLIENT, file), 'utf8'))
      .filter((name) => !inFrame.has(name) && !onScreens.has(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(inFrame.size + onScreens.size).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

test('the frame uses only icons that the first load registers', () => {
  const used = sources
    .filter((file) => FRAME.test(file.replaceAll('\\', '/')))
    .map((file) => join(CLIENT, file))
  const menus = (readdirSync(MENUS, { recursive: true }) as string[])
    .filter((file) => file.endsWith('-menu.ts'))
    .map((file) => join(MENUS, file))
  const missing = [...used, ...menus].flatMap((file) =>
    iconsIn(readFileSync(file, 'utf8'))
      .filter((name) => !inFrame.has(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(menus.length).toBeGreaterThan(2)
  expect(missing).toEqual([])
})

test('no icon is registered twice', () => {
  expect([...onScreens].filter((name) => inFrame.has(name))).toEqual([])
})
