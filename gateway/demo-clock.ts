/**
 * DEMO_CLOCK: a demo begins its day at a time of day in India, whatever the hour is, because rules
 * about hours (contact, promotion, day opening) leave little to see at night.
 *
 * The time of a book never goes back: a start begins the first such moment after all that the book
 * has seen, and a start without the setting goes on with the clock the book has.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addDays, istAt, istDay } from '#shared/kernel/time.ts'
import type { Config } from './config.ts'
import { realNow, shiftClock } from './kernel/shifted-clock.ts'

type Book = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Moves the clock of this thread to that of the book in the data directory. */
export function followClockOfBook({ dataDir, databaseUrl }: Book): void {
  if (databaseUrl === null) shiftClock(keptShift(dataDir))
}

/** Begins a day of the demo and keeps its clock in the data directory; nothing without DEMO_CLOCK. */
export function beginDemoDay({ dataDir, demoClock }: Pick<Config, 'dataDir' | 'demoClock'>): void {
  if (demoClock === null) return
  const now = realNow()
  const seen = existsSync(join(dataDir, 'database')) ? now + keptShift(dataDir) : null
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(fileIn(dataDir), `${beginningOf(demoClock, seen, now) - now}\n`)
}

/**
 * The instant at which a demo day begins.
 * @param clock HH:MM in India
 * @param seen the latest moment the book may know, epoch ms; null for a new one
 * @param now epoch ms
 */
export function beginningOf(clock: string, seen: number | null, now: number): number {
  const at = (day: string): number => Date.parse(istAt(day, clock))
  const day = istDay(new Date(seen ?? now))
  return seen !== null && at(day) < seen ? at(addDays(day, 1)) : at(day)
}

const fileIn = (dataDir: string): string => join(dataDir, 'demo-clock')

function keptShift(dataDir: string): number {
  const file = fileIn(dataDir)
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}
