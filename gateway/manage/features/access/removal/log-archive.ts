/**
 * Files of operate-log entries that leave the database: gzipped lines of JSON, each entry with the
 * text its hash covers, then the signed end. The file can be verified without a database; the
 * signature needs the installation's key.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readdirSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { InvariantResult } from '#gateway/manage/db/invariant.ts'
import { type ChainCut, signatureOf } from '#gateway/manage/kernel/chain-signature.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'

type Signer = Pick<Secrets, 'sign'>

export interface ArchivedEntry {
  no: number
  /** Hex. */
  hash: string
  /** As `operate_log_content` gives it. */
  content: string
}

export interface Archive {
  file: string
  /** Numbers of its first and last entry. */
  from: number
  to: number
  /** Hashes, hex: of the entry before the first, and of the last. */
  prev: string
  hash: string
  /** Of the file's bytes, hex. */
  sha256: string
}

const NAME = /^operate-log-\d{12}-\d{12}\.jsonl\.gz$/

/** Archives in a directory, the oldest first. @throws Error when it cannot be read */
export function archivesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => NAME.test(name))
    .toSorted()
    .map((name) => join(directory, name))
}

/**
 * Writes entries that follow each other, and reads the file again before it gets its name: what is
 * named is whole and on the disk.
 * @param prev hash of the entry before the first, hex
 * @returns null when there are no entries
 * @throws Error when the disk or the chain is broken; no file is left then
 */
export async function writeArchive(
  directory: string,
  secrets: Signer,
  { after, prev }: { after: number; prev: string },
  entries: AsyncIterable<ArchivedEntry>,
): Promise<Archive | null> {
  const draft = join(directory, `operate-log-${randomUUID()}.draft`)
  try {
    if ((await writeDraft(draft, secrets, { after, prev }, entries)) === 0) return null
    const read = await readArchive(draft, secrets)
    const name = `operate-log-${pad(read.from)}-${pad(read.to)}.jsonl.gz`
    const file = join(directory, name)
    await rename(draft, file)
    await onDisk(directory)
    return { ...read, file }
  } finally {
    await rm(draft, { force: true })
  }
}

/** @returns how many entries it has */
async function writeDraft(
  draft: string,
  secrets: Signer,
  { after, prev }: { after: number; prev: string },
  entries: AsyncIterable<ArchivedEntry>,
): Promise<number> {
  let count = 0
  async function* lines() {
    let end = { no: after, hash: prev }
    yield `${JSON.stringify({ format: 1, after, prev })}\n`
    for await (const { no, hash, content } of entries) {
      yield `${JSON.stringify({ no, hash, content })}\n`
      end = { no, hash }
      count += 1
    }
    const signature = signatureOf(secrets, end.no, end.hash)
    yield `${JSON.stringify({ end: { ...end, signature } })}\n`
  }
  await pipeline(lines, createGzip(), createWriteStream(draft, { mode: 0o600 }))
  await onDisk(draft)
  return count
}

interface Line {
  /** Of the first line: number and hash of the entry before the first. */
  after?: number
  prev?: string
  /** Of an entry. */
  no?: number
  hash?: string
  content?: string
  /** Of the last line. */
  end?: { no: number; hash: string; signature: string }
}

/**
 * Reads an archive and proves it: every entry has the hash of its text and of the entry before, the
 * numbers have no gap, and this installation signed the end.
 * @throws Error with the number at which it breaks
 */
export async function readArchive(file: string, secrets: Signer): Promise<Archive> {
  const whole = createHash('sha256')
  const read: { after: number; prev: string; end: Line['end'] } = {
    after: -1,
    prev: '',
    end: undefined,
  }
  let [no, hash] = [0, '']
  function take({ after, prev, content, ...line }: Line): void {
    if (after !== undefined && prev !== undefined) {
      Object.assign(read, { after, prev })
      ;[no, hash] = [after, prev]
    } else if (content !== undefined) {
      const digest = createHash('sha256').update(Buffer.from(hash, 'hex')).update(content)
      const next = digest.digest('hex')
      if (read.end !== undefined || line.no !== no + 1 || line.hash !== next)
        throw new Error(`${file} is broken at no. ${no + 1}`)
      ;[no, hash] = [no + 1, next]
    } else read.end = line.end
  }
  await pipeline(
    createReadStream(file),
    async function* hashed(parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        whole.update(part)
        yield part
      }
    },
    createGunzip(),
    async (parts: AsyncIterable<Buffer>) => {
      for await (const line of linesOf(parts)) take(JSON.parse(line) as Line)
    },
  )
  const { after, prev, end } = read
  if (after < 0 || end?.no !== no || end.hash !== hash) throw new Error(`${file} has no end`)
  if (end.signature !== signatureOf(secrets, no, hash))
    throw new Error(`${file} is not signed by this installation`)
  return { file, from: after + 1, to: no, prev, hash, sha256: whole.digest('hex') }
}

async function* linesOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of parts) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/**
 * The rule of `check:invariants` about a directory of archives: each is whole and signed, and one
 * follows the other up to the entry behind which the chain in the database begins.
 */
export async function checkArchives(
  directory: string,
  secrets: Signer,
  cut: ChainCut,
): Promise<InvariantResult> {
  const broken: string[] = []
  const byEnd = new Map<number, Archive>()
  for (const file of existsSync(directory) ? archivesIn(directory) : [])
    try {
      const archive = await readArchive(file, secrets)
      byEnd.set(archive.to, archive)
    } catch {
      broken.push(file)
    }
  let [no, hash] = [cut.no, cut.hash]
  while (no > 0) {
    const archive = byEnd.get(no)
    if (archive?.hash !== hash) {
      broken.push(`no. ${no}`)
      break
    }
    ;[no, hash] = [archive.from - 1, archive.prev]
  }
  return {
    code: 'K05',
    name: `what left the operate log lies whole in ${byEnd.size} files`,
    violations: broken.length,
    sample: broken.slice(0, 5),
  }
}

async function onDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function pad(no: number): string {
  return String(no).padStart(12, '0')
}
