/**
 * Figures for Prometheus. Business refusals travel under HTTP 200, so requests are counted by the
 * `code` of the body as well. Labels never hold an id or a query string. Served on an internal
 * listener only.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import type { Version } from './health.ts'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type { Registry } from 'prom-client'

/**
 * A registry of its own for each part (or test), so that two in one process do not meet.
 * @param options.process also figures of the process (heap, event loop); ask it of one registry a
 * process
 */
export function createRegistry(options: { process?: boolean } = {}): Registry {
  const registry = new Registry()
  if (options.process) collectDefaultMetrics({ register: registry })
  return registry
}

export interface HttpMetrics {
  /**
   * @param route the pattern, never the path asked ·
   * @param code of the envelope, or of HTTP when there is none
   */
  observe(method: string, route: string, code: number, seconds: number): void
}

/** @param part first half of the names, so that both parts fit on one page */
export function httpMetrics(registry: Registry, part: 'edge' | 'manage'): HttpMetrics {
  const requests = new Counter({
    name: `${part}_http_requests_total`,
    help: 'Answers by route and body code',
    labelNames: ['method', 'route', 'code'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: `${part}_http_request_seconds`,
    help: 'Time to answer',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  // a handle for each set of labels, because looking one up costs more than counting
  const counters = new Map<string, Counter.Internal>()
  const timers = new Map<string, Histogram.Internal<'method' | 'route'>>()
  return {
    observe(method, route, code, seconds) {
      const call = `${method} ${route}`
      kept(counters, `${call} ${code}`, () => requests.labels(method, route, String(code))).inc()
      kept(timers, call, () => durations.labels(method, route)).observe(seconds)
    },
  }
}

function kept<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

export interface LiveMetrics {
  sockets: Gauge
  /** Events written to sockets. */
  delivered: Counter
  frames: Counter
  feedLag: Gauge
  /** Sockets cut, by reason. */
  cut: Counter<'reason'>
  /** Catch-ups by where they ended: ring, page, resync. */
  catchUps: Counter<'from'>
}

export function liveMetrics(registry: Registry): LiveMetrics {
  const registers = [registry]
  return {
    sockets: new Gauge({ name: 'live_sockets', help: 'Open sockets', registers }),
    delivered: new Counter({
      name: 'live_events_delivered_total',
      help: 'Events written to sockets',
      registers,
    }),
    frames: new Counter({
      name: 'live_frames_total',
      help: 'Frames written to sockets',
      registers,
    }),
    feedLag: new Gauge({
      name: 'live_feed_lag_seconds',
      help: 'Age of the newest event when it was read',
      registers,
    }),
    cut: new Counter({
      name: 'live_sockets_cut_total',
      help: 'Sockets the edge ended',
      labelNames: ['reason'],
      registers,
    }),
    catchUps: new Counter({
      name: 'live_catch_ups_total',
      help: 'Catch-ups by source',
      labelNames: ['from'],
      registers,
    }),
  }
}

/** An app with `/metrics` alone; main listens for it on the internal port. */
export function buildMetricsApp(
  registries: readonly { metrics(): Promise<string> }[],
  version: Version,
): FastifyInstance {
  const app = Fastify()
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok', ...version }))
  app.get('/metrics', async (_request, reply) =>
    reply
      .type(Registry.PROMETHEUS_CONTENT_TYPE)
      .send((await Promise.all(registries.map((registry) => registry.metrics()))).join('\n')),
  )
  return app
}
