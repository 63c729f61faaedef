/**
 * Manage's internal listener: feed, health and metrics for edges and operators; never reachable
 * through an edge.
 */
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { Gauge, Registry } from 'prom-client'
import { type ReadinessChecks, serveHealth, type Version } from '#gateway/kernel/health.ts'
import type { Database } from './db/client.ts'
import { schemaVersion } from './db/migrate.ts'

export function serveInternal(
  app: FastifyInstance,
  database: Database,
  registry: Registry,
  version: Version,
  isDraining: () => boolean,
  more: ReadinessChecks,
): void {
  serveHealth(app, {
    version,
    isDraining,
    checks: {
      db: async () => ({
        ok: (await sql`select 1`.execute(database.kysely)).rows.length === 1,
        value: true,
      }),
      migrations: async () => {
        const at = await schemaVersion(database)
        return { ok: at !== null, value: at ?? 'none' }
      },
      relayLag: async () => {
        const lag = await relayLag(database)
        return { ok: lag < 30, value: lag }
      },
      ...more,
    },
  })
  floorGauges(registry, database)
  app.get('/metrics', async (_request, reply) =>
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await registry.metrics()),
  )
}

/** Age in seconds of the oldest committed event that has no number yet. */
async function relayLag(database: Database): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(e.created_at)), 0)::float8 as lag
      from outbox_event e where e.seq is null`.execute(database.kysely)
  return rows[0]?.lag ?? 0
}

interface FloorFigures {
  relay_lag: number
  events_waiting: number
  reviews_waiting: number
  reviews_held: number
  jobs_open: number
  payouts_in_progress: number
  sessions: number
}

/** Figures of the floor, read from the database when somebody asks. */
function floorGauges(registry: Registry, database: Database): void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  const gauges: Record<keyof FloorFigures, Gauge> = {
    relay_lag: gauge('manage_event_lag_seconds', 'Age of the oldest event without a number'),
    events_waiting: gauge('manage_events_waiting', 'Committed events without a number'),
    reviews_waiting: gauge('manage_review_queue_depth', 'Reviews waiting to be claimed'),
    reviews_held: gauge('manage_review_leases', 'Reviews held by a claim'),
    jobs_open: gauge('manage_jobs_open', 'Jobs queued or running'),
    payouts_in_progress: gauge('manage_payouts_in_progress', 'Transfers without a result'),
    sessions: gauge('manage_sessions', 'Open sessions'),
  }
  const collect = async (): Promise<void> => {
    const { rows } = await sql<FloorFigures>`
      select coalesce((select extract(epoch from clock_timestamp() - min(e.created_at)) from outbox_event e
        where e.seq is null), 0)::float8 as relay_lag,
        (select count(*) from outbox_event e where e.seq is null) as events_waiting,
        (select count(*) from review r where r.state = 'unclaimed') as reviews_waiting,
        (select count(*) from review r where r.idle_until is not null) as reviews_held,
        (select count(*) from job j where j.state in ('queued', 'running')) as jobs_open,
        (select count(*) from payout_transfer t where t.pay_state = 'inProgress') as payouts_in_progress,
        (select count(*) from sys_session s where s.revoked_at is null
          and s.expires_at > clock_timestamp()) as sessions`.execute(database.kysely)
    const figures = rows[0]
    if (figures)
      for (const name of Object.keys(gauges) as (keyof FloorFigures)[])
        gauges[name].set(figures[name])
  }
  const first = gauges.relay_lag
  // one statement fills all gauges; prom-client asks the first one before it reads any
  Object.assign(first, { collect })
}
