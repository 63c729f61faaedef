// PGlite's file system in memory, filled from a dump without copying a byte of it: PGlite's own
// loader goes through a Blob, an untar and a copy, which is half of the time a test waits for its
// database.
import { MemoryFS, PGlite } from '@electric-sql/pglite'

const BLOCK = 512
const DIRECTORY = 0x35
/** A regular file that its owner reads and writes. */
const OWNED_FILE = 0o100600

/** What Emscripten's file system in memory keeps of a file or a directory. */
interface FileNode {
  contents: Uint8Array
  usedBytes: number
  node_ops: { mknod(parent: FileNode, name: string, mode: number, device: number): FileNode }
}

export class MemoryImageFs extends MemoryFS {
  readonly #tar: Buffer

  /** @param tar an uncompressed dump; the database writes into it and keeps it */
  constructor(tar: Buffer) {
    super('memory://')
    this.#tar = tar
  }

  /** Called by PGlite before it looks for a database. */
  override async initialSyncFs(): Promise<void> {
    const { FS } = (this.pg as PGlite).Module
    const tar = this.#tar
    // A file is made in its directory: by its path, each of the two thousand would be looked up
    // from the root several times.
    const directories = new Map<string, FileNode>()
    const directoryOf = (path: string): FileNode => {
      const known = directories.get(path)
      if (known) return known
      FS.mkdirTree(path)
      const { node } = FS.lookupPath(path, {}) as { node: FileNode }
      directories.set(path, node)
      return node
    }
    for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
      const name = PGlite.paths.PGDATA + textAt(tar, at + 345, 155) + textAt(tar, at, 100)
      const size = Number.parseInt(textAt(tar, at + 124, 12), 8)
      const from = at + BLOCK
      if (tar[at + 156] === DIRECTORY) FS.mkdirTree(name)
      else {
        const cut = name.lastIndexOf('/')
        const parent = directoryOf(name.slice(0, cut))
        const file = parent.node_ops.mknod(parent, name.slice(cut + 1), OWNED_FILE, 0)
        // the file is these bytes, not a copy of them
        file.contents = tar.subarray(from, from + size)
        file.usedBytes = size
      }
      at = from + Math.ceil(size / BLOCK) * BLOCK
    }
  }
}

function textAt(tar: Buffer, from: number, most: number): string {
  const end = tar.indexOf(0, from)
  return tar.toString('latin1', from, end === -1 || end > from + most ? from + most : end)
}
