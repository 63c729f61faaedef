// PGlite's file system on a real directory, made durable. Emscripten's NODEFS has no fsync
// operation, so PostgreSQL's fsync would silently do nothing. A new database is built in a
// directory beside and renamed when it is whole: a process killed during the first start must not
// leave half a database that can never be opened.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import path from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { PGlite, type postgresMod } from '@electric-sql/pglite'

type PostgresMod = postgresMod.PostgresMod

interface Stream {
  nfd: number
}

/** The parts of Emscripten's NODEFS that its published types leave out. */
interface NodeFsType {
  stream_ops: { fsync?: (stream: Stream) => number }
  tryFSOperation<T>(operation: () => T): T
}

export class DurableNodeFs extends NodeFS {
  readonly #finalDir: string
  readonly #mountOptions: { root: string }

  /** @param databaseDir the PGDATA directory; it need not exist, its parent must */
  constructor(databaseDir: string) {
    const startDir = existsSync(databaseDir) ? databaseDir : emptyDraft(databaseDir)
    super(startDir)
    this.#finalDir = databaseDir
    this.#mountOptions = { root: path.resolve(startDir) }
  }

  override async init(
    pg: PGlite,
    options: Partial<PostgresMod>,
  ): Promise<{ emscriptenOpts: Partial<PostgresMod> }> {
    this.pg = pg
    const mount = (mod: PostgresMod): void => {
      const nodeFs = mod.NODEFS as NodeFsType
      nodeFs.stream_ops.fsync = (stream) =>
        nodeFs.tryFSOperation(() => {
          fsyncSync(stream.nfd)
          return 0
        })
      mod.FS.mkdirTree(PGlite.paths.PGDATA)
      mod.FS.mount(mod.NODEFS, this.#mountOptions, PGlite.paths.PGDATA)
    }
    return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), mount] } }
  }

  /** To be called once the database is open: puts a newly built one durably in its place. */
  settle(): void {
    const draft = this.#mountOptions.root
    const final = path.resolve(this.#finalDir)
    if (draft === final) return
    syncTree(draft)
    renameSync(draft, final)
    syncOne(path.dirname(final))
    this.#mountOptions.root = final // NODEFS builds every path from it; files already open stay valid
  }
}

function emptyDraft(databaseDir: string): string {
  const draft = `${databaseDir}.new`
  rmSync(draft, { recursive: true, force: true })
  return draft
}

function syncTree(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const child = path.join(dir, entry.name)
    if (entry.isDirectory()) syncTree(child)
    else if (entry.isFile()) syncOne(child)
  }
  syncOne(dir)
}

function syncOne(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
