import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { BUDGET, clientSizes } from '#tests/support/client-size.ts'
import { buildClient } from '../../esbuild.config.ts'

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
