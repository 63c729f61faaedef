import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { comesWith, isSteady, joinChunks } from './join-chunks.ts'

const homes: string[] = []
afterAll(() => Promise.all(homes.map((home) => rm(home, { recursive: true, force: true }))))

/** Two lazy screens over a kit of two modules; `one.js` declares a name `value` as well. */
const SOURCES = {
  'main.js': `import { log } from './log.js'; log('main');
    export const screens = { one: () => import('./one.js'), two: () => import('./two.js') }`,
  'log.js': 'export const lines = []; export function log(line) { lines.push(line) }',
  'kit.js': "import { log } from './log.js'; log('kit'); export const value = 'kit'",
  'form.js': `import { log } from './log.js'; import { value as inner } from './kit.js'; log('form');
    export const value = 'form of ' + inner; export default class Form {}`,
  'one.js': `import Form, { value } from './form.js'; import { lines } from './log.js'; export { value };
    export const Screen = () => [new Form().constructor.name !== '', lines]`,
  'two.js': `import { value } from './kit.js'; import { value as form } from './form.js';
    export const Screen = () => value + ', ' + form`,
}

async function built(
  sources: Readonly<Record<string, string>>,
): Promise<{ home: string; outputs: Metafile['outputs'] }> {
  const home = await mkdtemp(join(tmpdir(), 'console-chunks-'))
  homes.push(home)
  await mkdir(join(home, 'src'))
  await writeFile(join(home, 'package.json'), '{ "type": "module" }')
  for (const [name, text] of Object.entries(sources)) await writeFile(join(home, 'src', name), text)
  const { metafile } = await build({
    absWorkingDir: home,
    entryPoints: { main: 'src/main.js' },
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    metafile: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
  })
  return { home, outputs: metafile.outputs }
}

async function joined(
  sources: Readonly<Record<string, string>> = SOURCES,
): Promise<{ home: string; outputs: Metafile['outputs'] }> {
  const { home, outputs } = await built(sources)
  const start = comesWith(outputs, 'src/main.js')
  const kit = comesWith(outputs, 'src/two.js')
  return {
    home,
    outputs: await joinChunks(home, outputs, [
      { name: 'base', has: (chunk) => start.has(chunk) && isSteady(outputs, chunk) },
      { name: 'start', has: (chunk) => start.has(chunk) },
      { name: 'kit', has: (chunk) => kit.has(chunk) },
    ]),
  }
}

interface Main {
  screens: {
    one: () => Promise<{ Screen: () => unknown; value: string }>
    two: () => Promise<{ Screen: () => unknown }>
  }
}

test('joined chunks behave as before, run each module once, and entry points keep their file names', async () => {
  const { home, outputs } = await joined()
  const main = Object.keys(outputs).find(
    (file) => outputs[file]?.entryPoint === 'src/main.js',
  ) as string
  const { screens } = (await import(join(home, main))) as Main
  const [one, two] = [await screens.one(), await screens.two()]
  expect(one.value).toBe('form of kit')
  expect(two.Screen()).toBe('kit, form of kit')
  expect(one.Screen()).toEqual([true, ['main', 'kit', 'form']])
})

test('each part is one file, the reported files exist, and every import resolves', async () => {
  const { home, outputs } = await joined()
  expect((await readdir(join(home, 'out'))).toSorted()).toEqual(
    Object.keys(outputs)
      .map((file) => file.slice('out/'.length))
      .toSorted(),
  )
  expect(
    Object.keys(outputs)
      .map((file) => file.replace(/^out\/|-\w+\.js$/g, ''))
      .toSorted(),
  ).toEqual(['base', 'kit', 'main', 'one', 'start', 'two'])
  expect(
    Object.values(outputs).flatMap(({ imports }) =>
      imports.filter(({ path }) => outputs[path] === undefined),
    ),
  ).toEqual([])
})

test('a changed line changes the names of its file and of its importers, and no other name', async () => {
  const before = Object.keys((await joined()).outputs)
  expect(Object.keys((await joined()).outputs)).toEqual(before)
  const after = Object.keys(
    (await joined({ ...SOURCES, 'one.js': `${SOURCES['one.js']}; console.debug` })).outputs,
  )
  const changed = after
    .filter((file) => !before.includes(file))
    .map((file) => file.replace(/^out\/|-\w+\.js$/g, ''))
    .toSorted()
  expect(changed).toEqual(['main', 'one', 'start'])
})

test('parts that would import each other are rejected', async () => {
  const { home, outputs } = await built(SOURCES)
  const kit = comesWith(outputs, 'src/two.js')
  const log = [...kit].find((file) =>
    Object.keys(outputs[file]?.inputs ?? {}).includes('src/log.js'),
  )
  await expect(
    joinChunks(home, outputs, [
      {
        name: 'first',
        has: (chunk) => chunk !== log && kit.has(chunk) && outputs[chunk]?.entryPoint === undefined,
      },
      {
        name: 'second',
        has: (chunk) => chunk === log || outputs[chunk]?.entryPoint === 'src/two.js',
      },
    ]),
  ).rejects.toThrow(/import each other: /)
})
