/**
 * Manage without features: kernel plugins, relay, feed, schedules and jobs. `manage.ts` brings the
 * features; tests bring the ones they test. Makes the apps without listening.
 */
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { type Endpoint, UNREAD_HEADER } from '#shared/kernel/endpoint.ts'
import { NOT_AVAILABLE, Problem } from '#shared/kernel/problem.ts'
import type { ReadinessChecks, Version } from '#gateway/kernel/health.ts'
import type { Logger } from '#gateway/kernel/logger.ts'
import { createRegistry, httpMetrics, type Registry } from '#gateway/kernel/metrics.ts'
import type { Database } from './db/client.ts'
import { makeMonths } from './db/months.ts'
import { foldFeatures, type Parts } from './fold-features.ts'
import { serveInternal } from './internal.ts'
import { jobRunnerOf } from './jobs/runner.ts'
import { schedulerOf } from './jobs/scheduler.ts'
import { backupClass } from './backup/backup-job.ts'
import { serveBackups } from './backup/backup-route.ts'
import { answerErrors } from './kernel/errors.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { missingKeys } from './kernel/book-keys.ts'
import type { Authenticator, FeatureSettings, FeatureSetup, Manifest } from './kernel/feature.ts'
import { MACHINE_KEY_SECRET } from './kernel/machine.ts'
import { sealerOf } from './kernel/operate-log.ts'
import { describedCalls } from './kernel/openapi.ts'
import { parametersOf } from './kernel/parameters.ts'
import { resealClass } from './kernel/reseal-job.ts'
import { type SealKey, secretsOf } from './kernel/secrets.ts'
import { storageOf } from './kernel/storage.ts'
import { serveFeed } from './outbox/feed.ts'
import { outboxClean } from './outbox/outbox-clean-job.ts'
import { type OutboxRow, relayOf, type Relay } from './outbox/relay.ts'

export const BASE = '/api/manage'

export interface ManageDeps {
  database: Database
  /** 32 bytes. */
  masterKey: Buffer
  /** Keys that seal instead of it (secrets.ts). */
  sealKeys?: readonly SealKey[]
  sealWith?: number
  log: Logger
  version: Version
  /** Shared with the edges; guards the feed. */
  internalSecret: string
  production: boolean
  /** Whether every answer is checked against its contract. */
  checkAnswers: boolean
  /** Where the ends of the operate log's chain are kept, on a volume of its own at best. */
  anchorFile?: string | null
  /** Where entries of the operate log go after their term; null = they stay. */
  logArchiveDir?: string | null
  /** Where an embedded book lies and its backups go; null = it takes none. */
  backups?: { dataDir: string; backupDir: string } | null
  /** Directory of an embedded database, whose disk must not run full. */
  storageDir?: string | null
  /** What else lets traffic in. */
  checks?: ReadinessChecks
}

/** What an installation decides for its features. */
export interface Installation {
  settings: FeatureSettings
  /** Made when the app exists: a sandbox vendor calls it. */
  vendorsOf(context: AppContext, app: FastifyInstance): FeatureSetup['vendors']
}

export interface Manage {
  app: FastifyInstance
  /** Feed, health and metrics; never reachable through an edge. */
  internal: FastifyInstance
  context: AppContext
  relay: Relay
  parts: Parts
  /** All calls served, as declared. */
  endpoints: readonly Endpoint[]
  /** Starts relay, schedules, jobs and the sealing of the operate log. */
  start(): Promise<void>
  /** All background work that is due has been done and its events are published. */
  settle(): Promise<void>
  /** Unready, and every answer ends its connection: callers go elsewhere before `close`. */
  leave(): void
  /** Ends calls under way first, then schedules and jobs, then the feed. */
  close(): Promise<void>
}

export async function buildCore(
  deps: ManageDeps,
  features: readonly Manifest[],
  { settings, vendorsOf }: Installation,
): Promise<Manage> {
  const { database, log } = deps
  const registry = createRegistry()
  const relay = relayOf(database, log)
  const secrets = secretsOf(deps.masterKey, deps.sealKeys, deps.sealWith)
  const anchorFile = deps.anchorFile ?? null
  const sealer = sealerOf(database, secrets, log, anchorFile)
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    exposeHeadRoutes: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    return503OnClosing: false,
  })
  const stopping = new AbortController()
  const storage = storageOf(deps.storageDir ?? null, log)
  const context: AppContext = {
    database,
    parameters: parametersOf(database),
    secrets,
    anchorFile,
    logArchiveDir: deps.logArchiveDir ?? null,
    log,
    wakeRelay: () => relay.wake(),
    wakeSchedule: (name) => scheduler.wake(name),
    taskClasses: () => scheduler.classes,
    wakeJobs: () => runner.wake(),
    stopping: stopping.signal,
    storage,
    async fetchObject({ cfgId, id, size }) {
      if (!vendors.storage) throw new Error('this installation has no stores of files')
      return vendors.storage.call(cfgId, (store) => store.get(id, size))
    },
    forgetSessions: (userId) => authenticator.forget(userId),
    lists: new Map(),
    checkAnswers: deps.checkAnswers,
  }
  const vendors = vendorsOf(context, app)
  const parts = foldFeatures(features, { context, settings, vendors })
  const { outside } = parts
  const scheduler = schedulerOf(context, [
    ...parts.schedules,
    outboxClean,
    resealClass([MACHINE_KEY_SECRET, ...parts.sealed]),
    ...(deps.backups ? [backupClass(deps.backups)] : []),
  ])
  const runner = jobRunnerOf(context, parts.jobTypes)

  // inputs and answers are checked by their contracts in serve.ts; Fastify's own schema compilers
  // would only add start-up time
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  await app.register(cookie)
  await app.register(swagger, describedCalls(deps.version.version, BASE))
  const endpoints: Endpoint[] = []
  app.addHook('onRoute', (route) => {
    const e = route.config?.endpoint
    if (e && route.method !== 'HEAD') endpoints.push(e)
  })
  answerErrors(app)
  let phase: Phase = 'open'
  leaveInOrder(app, () => phase)
  const authenticator = parts.authenticate(app)
  relay.subscribe((rows) => forgetRevoked(rows, authenticator))
  countRequests(app, registry)
  sendCursor(app, relay)
  await app.register(async (base) => parts.routes(base), { prefix: BASE })
  const internal = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
  })
  const feed = serveFeed(internal, database, relay, deps.internalSecret)
  serveInternal(internal, database, registry, deps.version, () => phase !== 'open', {
    async keys() {
      const missing = await missingKeys(database, context.secrets)
      return { ok: missing.length === 0, value: missing.length === 0 }
    },
    // reads go on while it is full
    storage: () => ({ ok: true, value: storage.freeMegabytes() ?? 'elsewhere' }),
    ...deps.checks,
  })
  if (deps.storageDir) serveBackups(internal, database, deps.storageDir)
  await app.ready()
  await internal.ready()

  async function settle(): Promise<void> {
    for (;;) {
      const before = relay.head()
      await scheduler.settle()
      for (const work of outside) await work.settle()
      await runner.settle()
      await relay.settle()
      if (relay.head() === before) break
    }
    await sealer.settle()
  }
  return {
    app,
    internal,
    context,
    relay,
    parts,
    endpoints,
    async start() {
      await storage.start()
      // a row without a month finds a place, so this ends no start
      await makeMonths(database).catch((error: unknown) =>
        log.error(
          { err: error },
          'the months of the logs could not be made; the night tries again',
        ),
      )
      await relay.start()
      sealer.start()
      await scheduler.start()
      runner.start()
    },
    settle,
    leave() {
      phase = 'leaving'
    },
    async close() {
      phase = 'closing'
      await app.close()
      stopping.abort()
      storage.stop()
      await scheduler.stop()
      await runner.stop()
      for (const work of outside) await work.close()
      await relay.settle().catch(() => undefined)
      await sealer.stop()
      feed.close()
      await internal.close()
      await relay.stop()
    },
  }
}

/**
 * Rights that another core changed: the sessions remembered here are read again. What names neither
 * a person nor a role changes what may be watched, not who they are.
 */
function forgetRevoked(rows: readonly OutboxRow[], { forget }: Authenticator): void {
  for (const { recheck, rooms } of rows) {
    if (!recheck) continue
    if (rooms.some((room) => room.startsWith('role:'))) forget(null)
    else for (const room of rooms) if (room.startsWith('user:')) forget(room.slice('user:'.length))
  }
}

type Phase = 'open' | 'leaving' | 'closing'

/** A core that closes refuses what comes on a kept connection, unread: another one is asked. */
function leaveInOrder(app: FastifyInstance, phase: () => Phase): void {
  app.addHook('onRequest', async (_request, reply) => {
    if (phase() === 'open') return
    reply.header('connection', 'close')
    if (phase() !== 'closing') return
    reply.header(UNREAD_HEADER, 'closing').header('retry-after', '2')
    throw new Problem(NOT_AVAILABLE)
  })
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9-]{8,64}$/.test(given)
    ? given
    : crypto.randomUUID()
}

/** Business refusals travel under HTTP 200, so requests are counted by the code of the body. */
function countRequests(app: FastifyInstance, registry: Registry): void {
  const metrics = httpMetrics(registry, 'manage')
  app.addHook('onSend', async (request, reply, payload) => {
    const code =
      typeof payload === 'string'
        ? Number(/^\{"code":(\d+)/.exec(payload)?.[1] ?? reply.statusCode)
        : reply.statusCode
    metrics.observe(
      request.method,
      request.routeOptions.config?.endpoint?.path ?? 'unknown',
      code,
      reply.elapsedTime / 1_000,
    )
    reply.header('x-request-id', request.id)
    return payload
  })
}

/**
 * `X-Seq`: the newest event published before the answer was read. A client that starts to listen
 * from it misses nothing.
 */
function sendCursor(app: FastifyInstance, relay: Relay): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-seq', String(relay.head()))
  })
}
