import { Agent } from 'node:http'

/** Where manage listens, and the kept-alive connections to it. */
export interface Upstream {
  agent: Agent
  target: { host: string; port: number } | { socketPath: string }
  close(): void
}

/**
 * @param url `http://host:port` or `unix:/path/of/socket`
 * @throws TypeError for any other form
 */
export function connectUpstream(url: string, connections: number): Upstream {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    maxFreeSockets: connections,
    scheduling: 'lifo',
  })
  return { agent, target: targetOf(url), close: () => agent.destroy() }
}

function targetOf(url: string): Upstream['target'] {
  if (url.startsWith('unix:')) return { socketPath: url.slice('unix:'.length) }
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:')
    throw new TypeError('an upstream is http://host:port or unix:/path')
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port: Number(parsed.port || 80) }
}
