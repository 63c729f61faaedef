/** The edge's own questions to the cores: kept connections to each, and which one is asked. */
import { Agent } from 'node:http'
import type { Core, Cores } from '#gateway/edge/cores.ts'

export type Target = { host: string; port: number } | { socketPath: string }

/** One core as it is asked. */
export interface Line {
  core: Core
  agent: Agent
  target: Target
}

export interface Upstream {
  /** @param except has failed already; null when there is no other */
  choose(): Line
  chooseOther(except: Line): Line | null
  refused(line: Line): void
  onSilent(run: (core: Core) => void): void
  close(): void
}

/**
 * @param listener which of its two a core is asked at
 * @throws TypeError for an address that is neither `http://host:port` nor `unix:/path/of/socket`
 */
export function connectUpstream(
  cores: Cores,
  listener: 'calls' | 'internal',
  connections: number,
): Upstream {
  const lines = new Map<Core, Line>()
  for (const core of cores.all)
    lines.set(core, {
      core,
      target: targetOf(core[listener]),
      agent: new Agent({
        keepAlive: true,
        maxSockets: connections,
        maxFreeSockets: connections,
        scheduling: 'lifo',
      }),
    })
  // every core has its line
  const lineOf = (core: Core): Line => lines.get(core) as Line
  // ends what is under way; the agent itself goes on
  cores.onSilent((core) => lineOf(core).agent.destroy())
  return {
    choose: () => lineOf(cores.choose()),
    chooseOther(except) {
      const other = cores.choose(except.core)
      return other === except.core ? null : lineOf(other)
    },
    refused: ({ core }) => cores.refused(core),
    onSilent: (run) => cores.onSilent(run),
    close() {
      for (const { agent } of lines.values()) agent.destroy()
    },
  }
}

/** @throws TypeError for any other form than `http://host:port` and `unix:/path/of/socket` */
export function targetOf(url: string): Target {
  if (url.startsWith('unix:')) return { socketPath: url.slice('unix:'.length) }
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:')
    throw new TypeError('an upstream is http://host:port or unix:/path')
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port: Number(parsed.port || 80) }
}
