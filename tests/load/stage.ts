/**
 * Shared by the lines of the bench: the book, manage and edge as processes, and a way to start
 * more.
 */
import { buildClient, buildGateway } from '../../esbuild.config.ts'
import { build, type Metafile } from 'esbuild'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Book, type BookSize, SECRET } from './book.ts'
import { BUILT, type Child, CLIENT } from './processes.ts'

/** What a group needs that makes a book of its own. */
export interface Ground {
  engine: Book['engine']
  /** Orders of the large book; null: as many as the group says. */
  orders: number | null
  print(text: string): void
  /** It is dropped when the group has ended. */
  makeBook(size?: BookSize): Promise<Book>
  start(script: string, settings?: unknown): Promise<Child>
}

export interface Bench extends Ground, Console {
  /** The file sizes of the client build. */
  metafile: Metafile
  book: Book
}

export interface Console {
  manage: Child
  manageUrl: string
  edge: Child
  edgeUrl: string
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

/** Manage of a book and an edge in front of it, each a process. */
export async function startStack({ start }: Pick<Ground, 'start'>, book: Book): Promise<Console> {
  const manage = await start('manage-process', book.env)
  const { calls, feed } = await manage.ask<{ calls: string; feed: string }>('urls')
  const edge = await start('edge-process', {
    manageUrl: calls,
    feedUrl: feed,
    secret: SECRET,
    staticDir: CLIENT,
  })
  return { manage, manageUrl: calls, edge, edgeUrl: await edge.ask<string>('url') }
}

export async function setStage(ground: Ground, metafile: Metafile): Promise<Bench> {
  const book = await ground.makeBook()
  return { ...ground, metafile, book, ...(await startStack(ground, book)) }
}
