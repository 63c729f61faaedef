/** Compares the events a user received with the log of all rooms they may be in. */
import { INTERNAL_SECRET } from './chaos-database.ts'
import type { Listener } from './web-person.ts'

export interface Recipient {
  name: string
  listener: Listener
  /** Rooms the user is entitled to. */
  rooms: readonly string[]
  /** Newest event when the user began to listen. */
  from: number
}

export interface ReceivedCheck {
  events: number
  lost: string[]
  phantom: string[]
  leaked: string[]
  disorder: string[]
  /** Sent again after a reconnect and dropped by the client. */
  duplicates: number
}

export interface Logged {
  seq: number
  type: string
  rooms: string[]
}

/** The whole event log, as the feed of a core sends it. @throws Error when it has a gap */
export async function readLog(feedUrl: string): Promise<Logged[]> {
  const log: Logged[] = []
  for (;;) {
    const { events } = await readPage(feedUrl, log.at(-1)?.seq ?? 0)
    if (events.length === 0) return log
    for (const { seq, type, audience } of events) {
      if (log.length > 0 && seq !== (log.at(-1) as Logged).seq + 1)
        throw new Error(`the log has a hole before ${seq}`)
      log.push({ seq, type, rooms: JSON.parse(audience) as string[] })
    }
  }
}

/** Retries: the connection may have been cut a moment ago. */
async function readPage(
  feedUrl: string,
  after: number,
): Promise<{ events: { seq: number; type: string; audience: string }[] }> {
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await fetch(`${feedUrl}/feed/page?after=${after}&limit=500`, {
        headers: { 'x-internal-secret': INTERNAL_SECRET },
      })
      if (answer.ok)
        return (await answer.json()) as {
          events: { seq: number; type: string; audience: string }[]
        }
      throw new Error(`the feed answered ${answer.status}`)
    } catch (error) {
      if (tries === 50) throw error
      await new Promise((resume) => setTimeout(resume, 200))
    }
  }
}

/** @param rows the whole log */
export function checkReceived(
  rows: readonly Logged[],
  recipients: readonly Recipient[],
): ReceivedCheck {
  const log = new Map(rows.map((row) => [row.seq, row]))
  const check: ReceivedCheck = {
    events: 0,
    lost: [],
    phantom: [],
    leaked: [],
    disorder: [],
    duplicates: 0,
  }
  for (const { name, listener, rooms, from } of recipients) {
    const entitled = new Set(rooms)
    const received = new Set(listener.events.map((event) => event.seq))
    check.duplicates += listener.duplicates
    for (const row of rows) {
      if (row.seq <= from || !row.rooms.some((room) => entitled.has(room))) continue
      check.events += 1
      if (!received.has(row.seq)) check.lost.push(`${name}: ${row.seq} ${row.type}`)
    }
    const versions = new Map<string, number>()
    for (const event of listener.events) {
      const row = log.get(event.seq)
      if (!row) check.phantom.push(`${name}: ${event.seq} ${event.type}`)
      else if (!row.rooms.some((room) => entitled.has(room)))
        check.leaked.push(`${name}: ${event.seq} ${event.type} for ${row.rooms.join(' ')}`)
      if (event.version === undefined) continue
      const before = versions.get(event.subject) ?? 0
      if (event.version < before)
        check.disorder.push(
          `${name}: ${event.subject} ${event.version} after ${before} at ${event.seq}`,
        )
      versions.set(event.subject, event.version)
    }
  }
  return check
}
