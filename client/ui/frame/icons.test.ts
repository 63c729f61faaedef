import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MenuItem } from '#shared/kernel/permission.ts'

const CLIENT = join(import.meta.dirname, '..', '..')
const sources = (readdirSync(CLIENT, { recursive: true }) as string[]).filter(
  (file) => /\.tsx?$/.test(file) && !/\.(test|e2e)\.tsx?$/.test(file),
)
const inFrame = namesIn('icons.ts')
const onScreens = namesIn('screen-icons.ts')
const onCards = namesIn('card-icons.ts')
/** Files drawn without a screen: the frame, its menus, its start page and its messages. */
const FRAME = /^(?:app|shell|features\/(?:session|notifications))\/|^ui\/feedback\/Toasts\.tsx$/
/** Every page and group of the server's menu. */
const MENU = await menuItems(join(CLIENT, '..', 'shared'))

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

const ALL = [...inFrame, ...onScreens, ...onCards]

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
  const missing = sources
    .filter((file) => FRAME.test(file.replaceAll('\\', '/')))
    .flatMap((file) =>
      iconsIn(readFileSync(join(CLIENT, file), 'utf8'))
        .filter((name) => !inFrame.has(name))
        .map((name) => `${file}: ${name}`),
    )
  expect(missing).toEqual([])
})

test('the icons of the first level of the menu are in the first load', () => {
  const first = MENU.filter(({ parent }) => parent === null)
  expect(first.length).toBeGreaterThan(3)
  expect(first.filter(({ icon }) => !inFrame.has(icon ?? ''))).toEqual([])
})

test('every page of the menu has a registered icon of its own', () => {
  const icons = MENU.filter(
    ({ component, visible }) => component !== 'Layout' && visible === 0,
  ).map(({ icon }) => icon ?? '')
  expect(icons.length).toBeGreaterThan(40)
  expect(icons.filter((icon) => !ALL.includes(icon))).toEqual([])
  expect(icons.filter((icon, at) => icons.indexOf(icon) !== at)).toEqual([])
})

async function menuItems(shared: string): Promise<MenuItem[]> {
  const files = (readdirSync(shared, { recursive: true }) as string[]).filter((file) =>
    file.endsWith('-menu.ts'),
  )
  const modules = await Promise.all(files.map((file) => import(join(shared, file))))
  return modules.flatMap((module: object) =>
    Object.values(module).flatMap((value: unknown) =>
      Array.isArray(value) ? (value as MenuItem[]) : [],
    ),
  )
}

test('no icon is registered twice', () => {
  expect(ALL.filter((name, at) => ALL.indexOf(name) !== at)).toEqual([])
})
