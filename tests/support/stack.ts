/**
 * Edge and manage as they run in one installation, over real sockets: for realtime and browser
 * tests. Several edges may run before one manage, or before several of one book. `spawnConsole`
 * starts the built console as a process of its own, for tests that kill it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CoreAddress } from '#gateway/edge/cores.ts'
import { buildEdge, type EdgeApp } from '#gateway/edge/edge.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import type { Manage } from '#gateway/manage/core.ts'
import { type Floor, testManage } from './manage.ts'
import { WIDE_LIMITS } from './wide-limits.ts'

const ROOT = join(import.meta.dirname, '..', '..')
export const CLIENT = join(ROOT, 'dist', 'client')

const SILENT = createLogger('silent')

export interface Stack extends Floor {
  edges: EdgeApp[]
  /** Address of the first edge. */
  url: string
  urls: string[]
  /** Where its cores listen. */
  cores: readonly CoreAddress[]
  /** @param through other addresses of the cores, with a faulty network before them */
  addEdge(through?: readonly CoreAddress[]): Promise<string>
}

export async function startStack(
  options: {
    edges?: number
    cores?: number
    client?: boolean
    redisUrl?: string | null
    /** Of the first edge where nobody has it, else a free one; absent: an ephemeral one. */
    port?: number | null
  } = {},
): Promise<Stack> {
  const floor = await testManage()
  const folder = mkdtempSync(join(tmpdir(), 'stack-'))
  const cores = [await listening(floor.manage, folder, 0)]
  for (let n = 1; n < (options.cores ?? 1); n += 1)
    cores.push(await listening(await floor.addCore(), folder, n))
  const edges: EdgeApp[] = []
  const urls: string[] = []
  async function addEdge(through: readonly CoreAddress[] = cores): Promise<string> {
    const edge = await buildEdge({
      cores: through,
      feedSecret: floor.internalSecret,
      staticDir: options.client ? CLIENT : null,
      publicOrigins: null,
      redisUrl: options.redisUrl ?? null,
      logger: SILENT,
      secure: false,
      limits: WIDE_LIMITS,
    })
    await edge.start()
    await edge.fastify.listen({
      host: '127.0.0.1',
      // asked for now: what was free before all this was built may be taken
      port: edges.length === 0 && options.port !== undefined ? await freePort(options.port) : 0,
    })
    const url = `http://127.0.0.1:${(edge.fastify.server.address() as AddressInfo).port}`
    edges.push(edge)
    urls.push(url)
    return url
  }
  for (let n = 0; n < (options.edges ?? 1); n += 1) await addEdge()
  return {
    ...floor,
    cores,
    edges,
    urls,
    url: urls[0] as string,
    addEdge,
    async settle() {
      await floor.settle()
      const head = floor.manage.relay.head()
      for (const edge of edges) {
        while (edge.cursor() < head) await new Promise((resume) => setImmediate(resume))
        await edge.settle()
      }
    },
    async close() {
      for (const edge of edges) await edge.close()
      await floor.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listening(manage: Manage, folder: string, n: number): Promise<CoreAddress> {
  const calls = join(folder, `m${n}`)
  const internal = join(folder, `i${n}`)
  await manage.app.listen({ path: calls })
  await manage.internal.listen({ path: internal })
  await manage.start()
  return { calls: `unix:${calls}`, internal: `unix:${internal}` }
}

export interface RunningConsole {
  url: string
  pid: number
  process: ChildProcess
  output(): string
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the built console (`npm run build` first) and waits until it answers. */
export async function spawnConsole(env: Record<string, string>): Promise<RunningConsole> {
  const port = env.PORT ?? String(await freePort())
  const child = spawn(process.execPath, [join(ROOT, 'dist/gateway/main.js')], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      LOG_LEVEL: 'error',
      ...env,
      PORT: port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  const path = env.ROLE === 'manage' ? '/api/manage/get/time' : '/readyz'
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the console ended with ${child.exitCode ?? child.signalCode}:\n${output}`)
    // it says so itself: another console may answer at a port that was free a moment ago
    const isListening = output.includes(`:${port}`)
    if (isListening && (await fetch(url + path).catch(() => null))?.ok) break
    await new Promise((resume) => setTimeout(resume, 50))
  }
  return {
    url,
    pid: child.pid as number,
    process: child,
    output: () => output,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const ended = new Promise<number | null>((resolve) =>
        child.once('exit', (code) => resolve(code)),
      )
      child.kill(signal)
      return ended
    },
  }
}

/**
 * Below the ephemeral ports: an outgoing connection could take one of those first.
 * @param wanted this one when nobody has it
 */
export async function freePort(wanted: number | null = null): Promise<number> {
  for (let port = wanted; ; port = null) {
    port ??= randomInt(10_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) =>
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
    )
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
