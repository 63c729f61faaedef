/** Parses a cycle, so that it can be described in words; times are IST. */
export type CycleWords =
  | { kind: 'seconds' | 'minutes' | 'hours'; n: number }
  | { kind: 'hourly'; minute: string }
  | { kind: 'daily'; time: string }
  /** Every `n` minutes of each day, the first run at `from` and the last at `to`. */
  | { kind: 'between'; n: number; from: string; to: string }
  /** Any other cron text is shown as it is. */
  | { kind: 'cron'; cycle: string }

const EVERY = /^every:([1-9]\d*)$/
const CRON = /^(\d{1,2}) (\d{1,2}|\*) \* \* \*$/
const BETWEEN = /^\*\/([1-9]\d?) (\d{1,2})-(\d{1,2}) \* \* \*$/

export function cycleWords(cycle: string): CycleWords {
  const every = EVERY.exec(cycle)?.[1]
  if (every !== undefined) return periodOf(Number(every))
  const [, step, first, last] = BETWEEN.exec(cycle) ?? []
  if (step !== undefined && first !== undefined && last !== undefined) {
    const n = Number(step)
    return { kind: 'between', n, from: clock(first, 0), to: clock(last, Math.floor(59 / n) * n) }
  }
  const [, minute, hour] = CRON.exec(cycle) ?? []
  if (minute === undefined || hour === undefined) return { kind: 'cron', cycle }
  return hour === '*'
    ? { kind: 'hourly', minute: minute.padStart(2, '0') }
    : { kind: 'daily', time: clock(hour, Number(minute)) }
}

function clock(hour: string, minute: number): string {
  return `${hour.padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

function periodOf(seconds: number): CycleWords {
  if (seconds % 3_600 === 0) return { kind: 'hours', n: seconds / 3_600 }
  if (seconds % 60 === 0) return { kind: 'minutes', n: seconds / 60 }
  return { kind: 'seconds', n: seconds }
}
