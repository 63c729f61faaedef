/**
 * The relay gives committed events their gap-free number and hands them to the feed. Any manage
 * process may call `relay_publish`; an advisory lock inside it makes all of them one relay. A
 * commit wakes it in process, the NOTIFY that `relay_publish` sends wakes the feeds of the other
 * processes, and a short poll is the floor under both.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#gateway/manage/db/client.ts'
import { readPrepared } from '#gateway/manage/db/prepared.ts'

const BATCH = 1_000
const POLL_MS = 500
const LONGEST_REST_MS = 10

export interface OutboxRow {
  pos: number
  id: string
  type: string
  subject: string
  rooms: string[]
  data: Record<string, unknown>
  actor_id: string | null
  actor_name: string | null
  client_id: string | null
  entity_version: number | null
  recheck: boolean
  created_at: string
  seq: number
}

export interface Relay {
  start(): Promise<void>
  wake(): void
  /** Newest number this process knows to be published. */
  head(): number
  /** Receives published rows in order, from the moment of subscribing. */
  subscribe(deliver: (rows: readonly OutboxRow[]) => void): () => void
  /** Everything committed before the call has been published and received here. */
  settle(): Promise<void>
  stop(): Promise<void>
}

const COLUMNS = sql.raw(`
  e.pos, e.id, e.type, e.subject, e.rooms, e.data, e.actor_id, e.actor_name, e.client_id,
  e.entity_version, e.recheck, e.created_at, e.seq`)

/** Published events after `after`, oldest first. */
export async function publishedAfter(
  database: Database,
  after: number,
  limit: number,
): Promise<OutboxRow[]> {
  const { rows } = await sql<OutboxRow>`
      select ${COLUMNS} from outbox_event e where e.seq > ${after} order by e.seq limit ${limit}`.execute(
    database.kysely,
  )
  return rows
}

export async function publishedRange(
  database: Database,
): Promise<{ head: number; oldest: number }> {
  const { rows } = await sql<{ head: number; oldest: number | null }>`
    select s.last_seq as head, (select min(e.seq) from outbox_event e where e.seq is not null) as oldest
      from relay_state s`.execute(database.kysely)
  const row = rows[0] as { head: number; oldest: number | null }
  return { head: row.head, oldest: row.oldest ?? row.head + 1 }
}

export function relayOf(database: Database, log: FastifyBaseLogger): Relay {
  const subscribers = new Set<(rows: readonly OutboxRow[]) => void>()
  let head = 0
  // newest number announced by NOTIFY of another process
  let announcedHead = 0
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  let timer: NodeJS.Timeout | null = null
  let unlisten: (() => Promise<void>) | null = null

  /**
   * Rests twice as long as it worked: under load it takes larger batches, not more of the database;
   * an event that comes alone never waits.
   */
  async function publish(): Promise<void> {
    const from = performance.now()
    const before = head
    for (;;) {
      const rows = await readPrepared(
        database,
        sql<OutboxRow>`select ${COLUMNS} from relay_publish(${BATCH}) e`,
      )
      await deliver(rows)
      if (rows.length < BATCH) break
    }
    if (head > before && !stopped)
      await rest(Math.min(2 * (performance.now() - from), LONGEST_REST_MS))
  }
  /**
   * Delivers rows to subscribers; rows that another process published in between are read from the log
   * first, so that no subscriber misses one.
   */
  async function deliver(rows: readonly OutboxRow[]): Promise<void> {
    const first = rows[0]
    if (first && first.seq > head + 1) await readUpTo(first.seq - 1)
    const fresh = rows.filter((row) => row.seq > head)
    const last = fresh.at(-1)
    if (!last) return
    head = last.seq
    for (const subscriber of subscribers) subscriber(fresh)
  }
  async function readUpTo(seq: number): Promise<void> {
    while (head < seq) {
      const rows = (await publishedAfter(database, head, BATCH)).filter((row) => row.seq <= seq)
      const last = rows.at(-1)
      if (!last) throw new Error(`the event log has a hole after ${head}`)
      head = last.seq
      for (const subscriber of subscribers) subscriber(rows)
    }
  }
  function run(): Promise<void> {
    if (running) {
      again = true
      return running
    }
    running = (async () => {
      try {
        do {
          again = false
          await publish()
          if (announcedHead > head) await readUpTo(announcedHead)
        } while (again && !stopped)
      } finally {
        // at once: a wake-up after its last read begins a new run
        running = null
      }
    })()
    return running
  }
  function onAnnounced(seq: number): void {
    announcedHead = Math.max(announcedHead, seq)
    if (announcedHead > head) wake()
  }
  function wake(): void {
    if (stopped) return
    // on a floor that never rests a run never ends: whatever waited for it, once a commit, would
    // stay in memory
    if (running) again = true
    else
      run().catch((error: unknown) => {
        if (!stopped) log.error({ err: error }, 'the event relay stumbled; it tries again')
      })
  }
  return {
    async start() {
      head = (await publishedRange(database)).head
      unlisten = await database.listen('feed', (payload) => {
        // an empty payload: the connection was lost and is back, so something may have been missed
        if (payload === '')
          void publishedRange(database).then(
            (range) => onAnnounced(range.head),
            () => undefined,
          )
        else onAnnounced(Number(payload))
      })
      timer = setInterval(wake, POLL_MS)
      wake()
    },
    wake,
    head: () => head,
    subscribe(subscriber) {
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    async settle() {
      await run()
      await run()
    },
    async stop() {
      stopped = true
      if (timer) clearInterval(timer)
      await running?.catch(() => undefined)
      await unlisten?.()
    },
  }
}
