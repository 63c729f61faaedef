import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const CLIENT = join(import.meta.dirname, '..')
const sources = (readdirSync(CLIENT, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file) && !/\.(test|e2e)\.tsx?$/.test(file))
const registry = readFileSync(join(import.meta.dirname, 'icons.ts'), 'utf8')
const registered = new Set([...(/const PATHS[^{]*\{([^}]*)\}/.exec(registry)?.[1] ?? '').matchAll(/\w+/g)].map(([name]) => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()))

/** Names in `icon="…"`, `icon={… 'a' : 'b'}`, `rightIcon`, `endIcon`, `icon: '…'`. */
function iconsIn(source: string): string[] {
  const places = [...source.matchAll(/\b(?:icon|rightIcon|endIcon|leftIcon)(?:=|: ?)("[^"]*"|'[^']*'|\{[^{}]*\})/g)].map((m) => m[1] as string)
  return places.flatMap((place) => (place.startsWith('{') ? [...place.matchAll(/[?:{]\s*'([a-z][a-z-]*)'/g)].map((m) => m[1] as string) : [place.slice(1, -1)])).filter(Boolean)
}

test('the reader of icon names finds them', () => {
  expect(iconsIn(`<Icon icon="home" /><Button icon={on ? 'pin' : 'unpin'} endIcon='caret-down' />; const a = { icon: 'eye-open' }`)).toEqual(['home', 'pin', 'unpin', 'caret-down', 'eye-open'])
})

test('every icon used in the client is registered', () => {
  const missing = sources.flatMap((file) => iconsIn(readFileSync(join(CLIENT, file), 'utf8')).filter((name) => !registered.has(name)).map((name) => `${file}: ${name}`))
  expect(registered.size).toBeGreaterThan(50)
  expect(missing).toEqual([])
})
