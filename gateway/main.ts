/**
 * The only file that listens and handles signals. One process: the edge on this thread, manage in
 * another; or each in processes of its own (ROLE).
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { istClock } from '#shared/kernel/time.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { beginDemoDay, followClockOfBook } from './demo-clock.ts'
import type { EdgeApp, EdgeDeps } from './edge/edge.ts'
import type { Version } from './kernel/health.ts'
import { createLogger, type Logger } from './kernel/logger.ts'
import { buildMetricsApp, createRegistry } from './kernel/metrics.ts'
import { runShutdown, type ShutdownStep } from './kernel/shutdown.ts'
import { openBook } from './open-book.ts'
import type { Database } from './manage/db/client.ts'
import { DatabaseUnreadable, isDiskFull, isUnwritable } from './manage/db/unreadable.ts'
import type { Prepared } from './prepare-manage.ts'
import { announceConsole } from './running-console.ts'
import { readVersion } from './version.ts'

const LEAVE_MS = 2_000

interface ManageThread {
  config: Config
  version: Version
  secret: string
  sockets: { calls: string; internal: string }
}
type FromThread =
  | {
      kind: 'ready'
      accounts: readonly { account: string; role: string }[]
      firstAdministrator: boolean
    }
  | { kind: 'failed'; message: string }
  | { kind: 'closed' }

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
function fail(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

/** What a person at a terminal needs of a failed start: one line, no stack. */
function startFailure(error: unknown, config: Config): string {
  const { code, message, name, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `Port ${config.port} on ${config.host} is in use; set PORT to a free one or stop the other program.`
  if (code === 'EACCES' && syscall === 'listen')
    return `Not allowed to listen on port ${config.port} of ${config.host}.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return 'The database cannot be reached; check DATABASE_URL.'
  if (name === 'DataDirInUse' || name === 'DatabaseUnreadable') return message
  if (config.databaseUrl === null && isUnwritable(code))
    return new DatabaseUnreadable(config.dataDir, error).message
  return `The console could not start: ${message ?? String(error)}`
}

/** The embedded database went away under the console. */
function stoppedLine({ dataDir }: Config, { message }: Error): string {
  const advice = isDiskFull(message)
    ? new DatabaseUnreadable(dataDir, message).message
    : 'Start the console again; nothing committed is lost.'
  return `The database stopped (${message}). ${advice}`
}

function onStopSignal(steps: () => readonly ShutdownStep[], log: Logger): void {
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    void runShutdown(steps(), log).then((outcome) => process.exit(outcome === 'late' ? 1 : 0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/**
 * Each part is loaded by the thread that runs it, and only there: half of a start was reading code.
 * @param manageMetrics where manage's figures are read when it runs in this process;
 * @param ready what the edge can be built but not opened before
 */
async function startEdge(
  config: Config,
  log: Logger,
  version: Version,
  cores: EdgeDeps['cores'],
  feedSecret: string,
  manageMetrics: string | null,
  ready: Promise<unknown> = Promise.resolve(),
): Promise<EdgeApp> {
  const { buildEdge } = await import('./edge/edge.ts')
  const registry = createRegistry({ process: true })
  const secure = config.publicOrigins?.some((origin) => origin.startsWith('https:')) ?? false
  if (secure && config.trustedProxies.length === 0)
    log.error(
      'PUBLIC_ORIGIN is https but TRUSTED_PROXIES is not set: limits and logs count everybody ' +
        'behind the proxy as one address',
    )
  const edge = await buildEdge({
    registry,
    cores,
    feedSecret,
    staticDir: config.staticDir,
    publicOrigins: config.publicOrigins,
    redisUrl: config.redisUrl,
    logger: log,
    secure,
    trustedProxies: config.trustedProxies,
  })
  await ready
  await edge.start()
  await edge.fastify.listen({ host: config.host, port: config.port })
  if (config.internalPort !== 0)
    await buildMetricsApp(
      [
        registry,
        ...(manageMetrics === null
          ? []
          : [{ metrics: () => readOverSocket(manageMetrics, '/metrics') }]),
      ],
      version,
    ).listen({ host: config.host, port: config.internalPort })
  return edge
}

async function runAll(config: Config, log: Logger, version: Version): Promise<void> {
  const secret = config.internalSecret ?? randomBytes(32).toString('hex')
  // sockets in a folder only this user may enter; paths of Unix sockets are limited to about 100 bytes
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  const sockets = { calls: join(folder, 'm'), internal: join(folder, 'i') }
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { config, version, secret, sockets } satisfies ManageThread,
  })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const prepared = new Promise<Extract<FromThread, { kind: 'ready' }>>((resolve) => {
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'ready') resolve(message)
      if (message.kind === 'failed') fail(message.message)
    })
    worker.on('error', (error) => fail(startFailure(error, config)))
  })
  worker.on('exit', (code) => {
    if (!stopping) fail(`The core stopped unexpectedly (${code}).`)
  })
  let stopping = false
  const edge = await startEdge(
    config,
    log,
    version,
    [{ calls: `unix:${sockets.calls}`, internal: `unix:${sockets.internal}` }],
    secret,
    sockets.internal,
    prepared,
  )
  const ready = await prepared
  onStopSignal(() => {
    stopping = true
    return [
      { name: 'edge', run: () => edge.drain() },
      { name: 'manage', run: () => closeThread(worker) },
    ]
  }, log)
  const address = edge.fastify.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  print(
    `\nThe lending console runs at http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
  )
  print(config.databaseUrl === null ? `Data directory: ${config.dataDir}` : 'Database: PostgreSQL')
  if (ready.firstAdministrator)
    print(
      `First administrator: ${config.administrator?.account ?? ''} (the password must be changed at the first sign-in)`,
    )
  if (ready.accounts.length > 0) {
    print(
      'Demo accounts, one per role, password Floor#2026 (further ones carry a number: reviewer2, …):',
    )
    for (const { account, role } of ready.accounts.filter((demo) => !/\d$/.test(demo.account)))
      print(`  ${account.padEnd(24)}${role}`)
    const clock = istClock(Date.now())
    if (config.demoClock === null && (clock < '08:00' || clock > '19:00'))
      print(
        `It is ${clock} in India, when nobody may be called: DEMO_CLOCK=10:00 begins a day of the demo at ten.`,
      )
  }
  print('Stop with Ctrl+C.\n')
}

function readOverSocket(socketPath: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path }, (answer) => void text(answer).then(resolve, reject))
      .on('error', reject)
      .end()
  })
}

function closeThread(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve())
    worker.postMessage('close')
  })
}

/** Manage on its own thread: calls and the internal listener on unix sockets. */
async function runManageThread({ config, version, secret, sockets }: ManageThread): Promise<void> {
  const port = parentPort
  if (!port) throw new TypeError('the manage thread has no parent')
  const post = (message: FromThread): void => port.postMessage(message)
  const log = createLogger(config.logLevel)
  try {
    const database = openBook(config, log, (error) => {
      post({ kind: 'failed', message: stoppedLine(config, error) })
    })
    const prepared = await prepare(config, version, secret, log, database)
    await prepared.manage.app.listen({ path: sockets.calls })
    await prepared.manage.internal.listen({ path: sockets.internal })
    const forget = announce(config, sockets.internal, secret)
    port.on('message', () => {
      forget()
      void prepared.close().finally(() => process.exit(0))
    })
    post({
      kind: 'ready',
      accounts: prepared.accounts,
      firstAdministrator: prepared.firstAdministrator,
    })
  } catch (error) {
    post({ kind: 'failed', message: startFailure(error, config) })
  }
}

/** A server's book is backed up beside the console, not through it. */
function announce(config: Config, internal: string | number, secret: string): () => void {
  if (config.databaseUrl !== null) return () => undefined
  return announceConsole(config.dataDir, { internal, secret })
}

/** Goes on answering until every edge, which asks twice a second, sends its calls elsewhere. */
async function leave(manage: Prepared['manage']): Promise<void> {
  manage.leave()
  await pause(LEAVE_MS)
}

/** The code of manage is read while the database opens. */
async function prepare(
  config: Config,
  version: Version,
  secret: string,
  log: Logger,
  database: Promise<Database>,
): Promise<Prepared> {
  const [{ prepareManage }, opened] = await Promise.all([import('./prepare-manage.ts'), database])
  return prepareManage(config, version, secret, log, opened)
}

async function runManage(config: Config, log: Logger, version: Version): Promise<void> {
  const database = openBook(config, log, (error) => fail(stoppedLine(config, error)))
  const prepared = await prepare(config, version, config.internalSecret as string, log, database)
  await prepared.manage.app.listen({ host: config.host, port: config.port })
  await prepared.manage.internal.listen({ host: config.host, port: config.internalPort })
  const forget = announce(config, config.internalPort, config.internalSecret as string)
  onStopSignal(
    () => [
      { name: 'unannounced', run: forget },
      { name: 'unready', run: () => leave(prepared.manage) },
      { name: 'manage', run: () => prepared.close() },
    ],
    log,
  )
  print(
    `Manage listens at http://${config.host}:${config.port}, its feed at port ${config.internalPort}.`,
  )
}

async function runEdge(config: Config, log: Logger, version: Version): Promise<void> {
  const cores = config.cores as NonNullable<Config['cores']>
  const edge = await startEdge(config, log, version, cores, config.internalSecret as string, null)
  onStopSignal(() => [{ name: 'edge', run: () => edge.drain() }], log)
  const behind = cores.map(({ calls }) => calls).join(', ')
  print(`The edge listens at http://${config.host}:${config.port} in front of ${behind}.`)
}

async function main(): Promise<void> {
  let config: Config
  try {
    config = readConfig(process.env, join(import.meta.dirname, '..', 'client'))
  } catch (error) {
    if (error instanceof ConfigError) fail(`Configuration: ${error.message}`)
    throw error
  }
  const log = createLogger(config.logLevel)
  const version = readVersion(import.meta.dirname)
  try {
    beginDemoDay(config)
    followClockOfBook(config)
    await { all: runAll, manage: runManage, edge: runEdge }[config.role](config, log, version)
  } catch (error) {
    fail(startFailure(error, config))
  }
}

if (isMainThread) await main()
else await runManageThread(workerData as ManageThread)
