/** Where a listener of a core is reached. */
export type Target = { host: string; port: number } | { socketPath: string }

/** @throws TypeError for any other form than `http://host:port` and `unix:/path/of/socket` */
export function targetOf(url: string): Target {
  if (url.startsWith('unix:')) return { socketPath: url.slice('unix:'.length) }
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:')
    throw new TypeError('an upstream is http://host:port or unix:/path')
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port: Number(parsed.port || 80) }
}
