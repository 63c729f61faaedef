/**
 * `/livez` the process runs · `/readyz` it may get traffic (503 while draining or when a check
 * fails) · `/healthz` that it answers, and inside what runs here. The same three on the edge and on
 * manage's internal listener.
 */
import type { FastifyInstance } from 'fastify'

export interface Version {
  version: string
  commit: string
  build: string
}

/**
 * What a check found: whether it lets traffic in, and a value to show (no secrets: the answer is
 * public).
 */
export interface CheckResult {
  ok: boolean
  value: string | number | boolean
}

export type ReadinessChecks = Record<string, () => CheckResult | Promise<CheckResult>>

export interface Health {
  /** Null on public addresses: a version would show an attacker which faults to try. */
  version: Version | null
  checks: ReadinessChecks
  isDraining: () => boolean
}

export type Readiness = { ready: boolean; body: Record<string, string | number | boolean> }

const CHECK_LIMIT_MS = 2_000

/** Runs every check; one that throws or takes over 2 s counts as failed. */
export async function readiness({
  checks,
  isDraining,
}: Pick<Health, 'checks' | 'isDraining'>): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await settled(check)] as const),
  )
  const ready = !isDraining() && results.every(([, result]) => result.ok)
  const status = isDraining() ? 'draining' : ready ? 'ok' : 'unavailable'
  return {
    ready,
    body: { status, ...Object.fromEntries(results.map(([name, result]) => [name, result.value])) },
  }
}

/** Adds the three routes at the root of an app. */
export function serveHealth(app: FastifyInstance, health: Health): void {
  app.get('/livez', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/readyz', async (_request, reply) => {
    const { ready, body } = await readiness(health)
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(body)
  })
  app.get('/healthz', (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .send({ status: health.isDraining() ? 'draining' : 'ok', ...health.version }),
  )
}

async function settled(check: () => CheckResult | Promise<CheckResult>): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, value: 'late' }), CHECK_LIMIT_MS)
  })
  try {
    return await Promise.race([check(), late])
  } catch {
    return { ok: false, value: 'failed' }
  } finally {
    clearTimeout(timer)
  }
}
