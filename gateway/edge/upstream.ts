/** The edge's own questions to the cores: kept connections to each, and which one is asked. */
import { Agent } from 'node:http'
import type { Core, Cores } from '#gateway/edge/cores.ts'
import { type Target, targetOf } from '#gateway/edge/target.ts'

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
  // ends what is under way; the agent itself continues
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
