/**
 * A console in parts, each a process that can be killed alone: edges in front, cores behind, a load
 * balancer before each row (one core only with PGlite, which one process owns). `balanced: false`
 * leaves the choice of a core to the edges.
 */
import { ConsoleProcesses, type StartedConsole } from './console-processes.ts'
import { FaultProxy } from './fault-proxy.ts'
import { type ChaosDatabase, INTERNAL_SECRET } from './chaos-database.ts'
import { freePort } from './stack.ts'

export interface Part {
  env: Record<string, string>
  running: StartedConsole
}

export interface Cluster {
  cores: Part[]
  edges: Part[]
  /** Called by users and machines. */
  front: FaultProxy
  /** Between edges and cores: the calls and the feed. */
  calls: FaultProxy
  feed: FaultProxy
  kill(part: Part, signal?: NodeJS.Signals): Promise<number | null>
  start(part: Part): Promise<void>
  end(): Promise<void>
}

export async function startCluster(
  chaosDatabase: ChaosDatabase,
  { edges: edgeCount = 2, balanced = true }: { edges?: number; balanced?: boolean } = {},
): Promise<Cluster> {
  const processes = new ConsoleProcesses()
  const proxies: FaultProxy[] = []
  async function wire(targets: readonly string[]): Promise<FaultProxy> {
    const proxy = await new FaultProxy(targets).start()
    proxies.push(proxy)
    return proxy
  }
  async function part(env: Record<string, string>): Promise<Part> {
    return { env, running: await processes.start(env) }
  }
  async function end(): Promise<void> {
    await processes.end()
    for (const proxy of proxies) proxy.close()
  }
  try {
    const cores: Part[] = []
    for (let n = 0; n < (chaosDatabase.engine === 'PGlite' ? 1 : 2); n += 1) {
      cores.push(
        await part({
          ...chaosDatabase.env,
          ROLE: 'manage',
          INTERNAL_SECRET,
          PORT: String(await freePort()),
          INTERNAL_PORT: String(await freePort()),
        }),
      )
    }
    const calls = await wire(cores.map((core) => core.running.url))
    const feed = await wire(cores.map(internalUrl))
    const edges: Part[] = []
    for (let n = 0; n < edgeCount; n += 1)
      edges.push(
        await part({
          ROLE: 'edge',
          MANAGE_URL: balanced ? calls.url : cores.map((core) => core.running.url).join(','),
          FEED_URL: balanced ? feed.url : cores.map(internalUrl).join(','),
          INTERNAL_SECRET,
          PORT: String(await freePort()),
        }),
      )
    const front = await wire(edges.map((edge) => edge.running.url))
    return {
      cores,
      edges,
      front,
      calls,
      feed,
      end,
      kill: (one, signal = 'SIGKILL') => one.running.kill(signal),
      async start(one) {
        one.running = await processes.start(one.env)
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

function internalUrl({ env }: Part): string {
  return `http://127.0.0.1:${env.INTERNAL_PORT}`
}
