/**
 * Copies a directory whose files do not change meanwhile. What is still the same file as in an
 * earlier copy is not read again: both copies then share it, so a copy must never be written to.
 */
import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Stats,
  utimesSync,
} from 'node:fs'
import path from 'node:path'

export interface Copied {
  files: number
  /** Read and written, rather than shared with the earlier copy. */
  bytes: number
}

/** A file written within one tick of the clock before the earlier copy may have changed after it. */
const TICK_MS = 2_000

/**
 * @param earlier a copy made by this function, and when it began
 * @param leaveOut names at the top that are not copied
 */
export function copyDirectory(
  from: string,
  to: string,
  earlier: { dir: string; at: number } | null,
  leaveOut: (name: string) => boolean = () => false,
): Copied {
  const copied: Copied = { files: 0, bytes: 0 }
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (leaveOut(entry.name)) continue
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    const before = earlier && { ...earlier, dir: path.join(earlier.dir, entry.name) }
    if (entry.isDirectory()) {
      const inside = copyDirectory(source, target, before)
      copied.files += inside.files
      copied.bytes += inside.bytes
    } else if (entry.isFile()) {
      copied.files += 1
      copied.bytes += copyFile(source, target, before)
    }
  }
  return copied
}

function copyFile(
  source: string,
  target: string,
  earlier: { dir: string; at: number } | null,
): number {
  const now = lstatSync(source)
  if (earlier && isSame(now, statOf(earlier.dir), earlier.at)) {
    linkSync(earlier.dir, target)
    return 0
  }
  // a file system that can lets both names share blocks until one is written
  copyFileSync(source, target, constants.COPYFILE_FICLONE)
  utimesSync(target, now.atime, now.mtime)
  return now.size
}

function isSame(now: Stats, then: Stats | undefined, at: number): boolean {
  if (then === undefined || now.size !== then.size) return false
  return Math.abs(now.mtimeMs - then.mtimeMs) < 1 && now.mtimeMs < at - TICK_MS
}

function statOf(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false })
}
