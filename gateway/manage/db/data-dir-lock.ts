// One process per data directory: PGlite itself takes no lock, and two of them on one directory
// destroy it. The lock is a file created whole by link(2), so nobody ever reads half of it. A lock
// whose process is gone is taken over; the right to take over one particular lock is itself such a
// lock, named after the dead one's token, so of several racers exactly one wins and a racer that
// was itself killed half-way is taken over the same way.
import { randomUUID } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'

const LOCK_NAME = 'pglite.lock'
const HEARTBEAT_MS = 5_000
const SILENT_MS = 30_000

/** Another live process (or thread) has the data directory open. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse'
  readonly code = 'DATA_DIR_IN_USE'
  readonly dataDir: string
  readonly pid: number

  constructor(dataDir: string, pid: number) {
    super(
      `The data directory ${dataDir} is in use by process ${pid}. ` +
        'Stop that process, or set DATA_DIR to another directory.',
    )
    this.dataDir = dataDir
    this.pid = pid
  }
}

export interface DataDirLock {
  /** Releases the directory; may be called more than once. */
  release(): void
}

interface Owner {
  pid: number
  /**
   * Tells this process from an earlier one with the same pid (in a container every start has the
   * same pid).
   */
  birth: string
  host: string
  token: string
}

/**
 * Takes the lock of a data directory, creating the directory when needed.
 * @throws {DataDirInUse} when a live process holds it
 */
export function lockDataDir(dataDir: string): DataDirLock {
  mkdirSync(dataDir, { recursive: true })
  return acquire(path.join(dataDir, LOCK_NAME), dataDir)
}

function acquire(file: string, dataDir: string): DataDirLock {
  const mine: Owner = {
    pid: process.pid,
    birth: birthOf(process.pid),
    host: hostname(),
    token: randomUUID(),
  }
  for (;;) {
    if (create(file, mine)) return held(file, mine)
    const owner = read(file)
    if (!owner) continue
    if (isAlive(owner, file)) throw new DataDirInUse(dataDir, owner.pid)
    removeStale(file, owner, dataDir)
  }
}

function removeStale(file: string, stale: Owner, dataDir: string): void {
  const right = acquire(`${file}.${stale.token}`, dataDir)
  try {
    // A slow racer gets the right after the winner has finished: the lock is then somebody else's
    // and stays.
    if (read(file)?.token === stale.token) unlinkSync(file)
  } finally {
    right.release()
  }
}

function held(file: string, mine: Owner): DataDirLock {
  const heartbeat = setInterval(beat, HEARTBEAT_MS, file).unref()
  function release(): void {
    clearInterval(heartbeat)
    process.off('exit', release)
    if (read(file)?.token === mine.token) unlinkSync(file)
  }
  process.on('exit', release)
  return { release }
}

function create(file: string, owner: Owner): boolean {
  const draft = `${file}.${owner.token}.draft`
  writeFileSync(draft, JSON.stringify(owner))
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  } finally {
    unlinkSync(draft)
  }
}

function read(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner // only this file writes it, whole
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

function isAlive(owner: Owner, file: string): boolean {
  // A pid means nothing in another container or machine on the same volume: there the heartbeat
  // decides.
  if (owner.host !== hostname()) return Date.now() - lastBeat(file) < SILENT_MS
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    return !isErrno(error, 'ESRCH')
  }
  return owner.birth === '' || owner.birth === birthOf(owner.pid)
}

function beat(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // The file was removed by hand; the next start will say what is wrong.
  }
}

function lastBeat(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/**
 * Boot id and start tick of a process; empty where the system has no /proc, and then the pid alone
 * decides.
 */
function birthOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Counted after the command name, which may itself hold spaces and brackets: field 3 is the
    // state, 22 the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : `${boot}:${fields[19]}`
  } catch {
    return ''
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
