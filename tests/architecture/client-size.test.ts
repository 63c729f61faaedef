import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import type { Preloads } from '#shared/kernel/preloads.ts'
import { BUDGET, clientSizes } from '#tests/support/client-size.ts'
import { buildClient } from '../../esbuild.config.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const outdir = await mkdtemp(join(tmpdir(), 'console-client-'))
const metafile = (await buildClient({ outdir, compressed: false })).metafile as Metafile
afterAll(() => rm(outdir, { recursive: true, force: true }))

test('login, frame, grid, charts and first list stay within what a shift may have to load', async () => {
  const sizes = await clientSizes(metafile)
  const over = Object.entries(sizes).filter(
    ([part, bytes]) => bytes > BUDGET[part as keyof typeof BUDGET],
  )
  expect(over, JSON.stringify(sizes)).toEqual([])
})

test('the page requests what its first screen imports: the grid for a list, not for the home page', async () => {
  const { first, screens } = JSON.parse(
    await readFile(join(outdir, 'preloads.json'), 'utf8'),
  ) as Preloads
  const written = new Set((await readdir(join(outdir, 'assets'))).map((file) => `/assets/${file}`))
  const all = [
    ...Object.values(first).flatMap((places) => Object.values(places).flat()),
    ...Object.values(screens).flatMap(({ files, texts }) => [
      ...files,
      ...Object.values(texts).flat(),
    ]),
  ]
  expect(all.filter((file) => !written.has(file))).toEqual([])
  const bringsGrid = (files: readonly string[]) => files.some((file) => /\/datagrid-/.test(file))
  expect([bringsGrid(first.en.home), bringsGrid(first.en.list)]).toEqual([false, true])
  expect(screens['/order_management/order_list']?.files.at(-1)).toMatch(/\/OrderListScreen-/)
})

test("the frame's texts have the titles of all features", async () => {
  for (const [language, title] of [
    ['en', 'Order list'],
    ['zh', '订单列表'],
  ] as const) {
    const file = Object.keys(metafile.outputs).find(
      (one) => metafile.outputs[one]?.entryPoint === `locales/${language}/shell.json`,
    ) as string
    expect(await readFile(join(ROOT, file), 'utf8')).toContain(title)
  }
})

test('the engine of computed types is not in the browser bundle', () => {
  const found = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(
      ([file, { bytesInOutput }]) =>
        bytesInOutput > 0 && /typebox\/build\/type\/engine\/instantiate\./.test(file),
    ),
  )
  expect(
    found,
    'Type.Record, Interface, Cyclic, Pick and their like bring it: see MapOf in shared/kernel/endpoint.ts',
  ).toEqual([])
})
