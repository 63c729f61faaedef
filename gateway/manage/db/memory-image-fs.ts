// PGlite's file system in memory, filled from a dump without copying a byte of it: PGlite's own
// loader goes through a Blob, an untar and a copy, which is half of the time a test waits for its
// database.
import { MemoryFS, PGlite } from '@electric-sql/pglite'

const BLOCK = 512
const DIRECTORY = 0x35

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
    for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
      const name = PGlite.paths.PGDATA + textAt(tar, at + 345, 155) + textAt(tar, at, 100)
      const size = Number.parseInt(textAt(tar, at + 124, 12), 8)
      const from = at + BLOCK
      if (tar[at + 156] === DIRECTORY) FS.mkdirTree(name)
      else {
        const cut = name.lastIndexOf('/')
        // the last `true`: the file is these bytes, not a copy of them
        FS.createDataFile(
          name.slice(0, cut),
          name.slice(cut + 1),
          tar.subarray(from, from + size),
          true,
          true,
          true,
        )
      }
      at = from + Math.ceil(size / BLOCK) * BLOCK
    }
  }
}

function textAt(tar: Buffer, from: number, most: number): string {
  const end = tar.indexOf(0, from)
  return tar.toString('latin1', from, end === -1 || end > from + most ? from + most : end)
}
