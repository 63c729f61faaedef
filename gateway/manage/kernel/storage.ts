/**
 * Free space of the disk an embedded database is on. PostgreSQL that cannot write its log stops;
 * so changes are refused before, while there is room for everything that is under way.
 */
import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'

export const LEAST_FREE_BYTES = 200 * 1024 * 1024
const LOOK_MS = 2_000

export interface Storage {
  /** Changes are refused. */
  isFull(): boolean
  /** Null before the first look, and where no directory is watched. */
  freeMegabytes(): number | null
  start(): Promise<void>
  stop(): void
}

/**
 * @param directory null for a database that is elsewhere
 * @param freeBytes of a directory; tests give their own
 */
export function storageOf(
  directory: string | null,
  log: FastifyBaseLogger,
  freeBytes: (directory: string) => Promise<number> = freeBytesOf,
): Storage {
  let free: number | null = null
  let timer: NodeJS.Timeout | null = null
  const isFull = (): boolean => free !== null && free < LEAST_FREE_BYTES

  async function look(where: string): Promise<void> {
    const was = isFull()
    free = await freeBytes(where)
    if (isFull() && !was)
      log.error(
        `The disk of ${where} has ${megabytes(free)} MB free: changes are refused until it has ` +
          `${megabytes(LEAST_FREE_BYTES)} MB. Free space there.`,
      )
    if (was && !isFull()) log.warn(`The disk of ${where} has space again: changes are accepted.`)
  }

  return {
    isFull,
    freeMegabytes: () => (free === null ? null : megabytes(free)),
    async start() {
      if (directory === null) return
      await look(directory)
      timer = setInterval(() => void look(directory).catch(() => undefined), LOOK_MS)
      timer.unref()
    },
    stop() {
      if (timer) clearInterval(timer)
    },
  }
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024)
}

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
