/**
 * Shared by the lines of the bench: the book, manage and edge as processes, and a way to start
 * more.
 */
import { buildClient, buildGateway } from '../../esbuild.config.ts'
import { build, type Metafile } from 'esbuild'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Book, makeBook, SECRET } from './book.ts'
import { BUILT, Child, CLIENT } from './processes.ts'

export interface Bench {
  /** The file sizes of the client build. */
  metafile: Metafile
  book: Book
  manage: Child
  manageUrl: string
  edge: Child
  edgeUrl: string
  start(script: string, settings?: unknown): Promise<Child>
}

/**
 * Builds the console as `npm run build` does, and the processes of the bench.
 * @returns the file sizes of the client build
 */
export async function buildAll(): Promise<Metafile> {
  const { metafile } = await buildClient({ outdir: CLIENT })
  await buildProcesses()
  if (!metafile) throw new TypeError('a build without watching has a metafile')
  return metafile
}

/** The server part and the processes of `children/`, without a client. */
export async function buildProcesses(): Promise<void> {
  await buildGateway({ outdir: join(BUILT, 'gateway') })
  const folder = join(import.meta.dirname, 'children')
  await build({
    entryPoints: (await readdir(folder)).map((file) => join(folder, file)),
    outdir: join(BUILT, 'gateway'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: ['node20.19'],
    packages: 'external',
    logLevel: 'warning',
  })
}

export async function setStage(metafile: Metafile): Promise<Bench> {
  const book = await makeBook(process.env.TEST_DATABASE_URL)
  const start = (script: string, settings?: unknown): Promise<Child> =>
    Child.start(script, settings)
  const manage = await start('manage-process', book.env)
  const { calls, feed } = await manage.ask<{ calls: string; feed: string }>('urls')
  const edge = await start('edge-process', {
    manageUrl: calls,
    feedUrl: feed,
    secret: SECRET,
    staticDir: CLIENT,
  })
  return {
    metafile,
    book,
    manage,
    manageUrl: calls,
    edge,
    edgeUrl: await edge.ask<string>('url'),
    start,
  }
}
