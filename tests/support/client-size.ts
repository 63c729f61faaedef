/** What the browser loads, gzipped, from the build's list of files, and the limits of it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Metafile } from 'esbuild'
import { comesWith } from '#client/build/join-chunks.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const START = ['client/app/main.tsx', 'locales/en/session.json']
const LOGIN = [...START, 'client/features/session/LoginScreen.tsx']
const FRAME = [
  ...START,
  'client/app/SignedIn.tsx',
  'client/base/locale-files/en.ts',
  'client/ui/frame/icons.ts',
  'locales/en/shell.json',
  'locales/en/live.json',
  'locales/en/ui.json',
]
const SHELL = [...FRAME, 'client/features/session/HomePageScreen.tsx']
const GRID = ['client/ui/grid/DataGrid.tsx', 'locales/en/grid.json']
const LIST = [
  ...FRAME,
  'client/ui/frame/screen-icons.ts',
  ...GRID,
  'client/features/orders/list/OrderListScreen.tsx',
  'locales/en/orders.json',
]
/** A report with its charts and its table. */
const CHART = ['client/features/reports/LendingTrendScreen.tsx', 'locales/en/chart.json']
/** A wall screen, with the texts of its language. */
const WALL = ['client/features/wall/board/main.tsx', 'locales/en/wall.json']

export interface ClientSizes {
  login: number
  /** The frame with its first page. */
  shell: number
  /** What the grid adds to the frame. */
  grid: number
  /** What a report with its charts adds to the frame and to what lists need, too. */
  chart: number
  /** The order list, all together. */
  list: number
  wall: number
}

/** Bytes, gzipped. */
export const BUDGET: ClientSizes = {
  login: 110_000,
  shell: 200_000,
  grid: 290_000,
  chart: 45_000,
  list: 490_000,
  wall: 150_000,
}

export async function clientSizes(metafile: Metafile): Promise<ClientSizes> {
  const shell = filesOf(metafile, SHELL)
  const list = filesOf(metafile, LIST)
  const added = (entries: readonly string[], known = shell) =>
    [...filesOf(metafile, entries)].filter((file) => !known.has(file))
  return {
    login: await gzipped(filesOf(metafile, LOGIN)),
    shell: await gzipped(shell),
    grid: await gzipped(added(GRID)),
    chart: await gzipped(added(CHART, new Set([...shell, ...list]))),
    list: await gzipped(list),
    wall: await gzipped(filesOf(metafile, WALL)),
  }
}

export async function gzipBytes(content: Uint8Array): Promise<number> {
  return (await promisify(gzip)(content, { level: 9 })).length
}

/**
 * The files of the entry points and their static imports, without lazy ones.
 * @throws Error when the build has no such entry point
 */
function filesOf({ outputs }: Metafile, entries: readonly string[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => [...comesWith(outputs, entry)]))
}

async function gzipped(files: Iterable<string>): Promise<number> {
  let sum = 0
  for (const file of files) sum += await gzipBytes(await readFile(join(ROOT, file)))
  return sum
}
