// LISTEN on a connection of its own, opened at the first use and reopened when it is lost.
import type pg from 'pg'

type OnNotify = (payload: string) => void

export interface Listener {
  listen(channel: string, onNotify: OnNotify): Promise<() => Promise<void>>
  close(): Promise<void>
}

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 5_000

export function openListener(
  createClient: () => pg.Client,
  onError: (error: Error) => void,
): Listener {
  const channels = new Map<string, Set<OnNotify>>()
  let client: Promise<pg.Client> | null = null
  let retry: NodeJS.Timeout | undefined
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  async function connect(): Promise<pg.Client> {
    const fresh = createClient()
    fresh.on('notification', ({ channel, payload }) => call(channel, payload ?? ''))
    fresh.on('error', onError)
    fresh.once('end', () => lost(FIRST_RETRY_MS))
    await fresh.connect()
    for (const channel of channels.keys())
      await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`)
    return fresh
  }

  function lost(delay: number): void {
    client = null
    clearTimeout(retry)
    if (isClosed || channels.size === 0) return
    retry = setTimeout(() => void reconnect(delay), delay).unref()
  }

  async function reconnect(delay: number): Promise<void> {
    client ??= connect()
    try {
      await client
      for (const channel of channels.keys()) call(channel, '')
    } catch (error) {
      onError(error as Error) // pg rejects with Errors only
      lost(Math.min(delay * 2, LAST_RETRY_MS))
    }
  }

  function call(channel: string, payload: string): void {
    channels.get(channel)?.forEach((onNotify) => onNotify(payload))
  }

  async function listen(channel: string, onNotify: OnNotify): Promise<() => Promise<void>> {
    const known = channels.get(channel)
    if (known) known.add(onNotify)
    else channels.set(channel, new Set([onNotify]))
    client ??= connect()
    try {
      await run(await client, 'listen', channel)
    } catch (error) {
      forget(channel, onNotify)
      throw error
    }
    return () => unlisten(channel, onNotify)
  }

  async function unlisten(channel: string, onNotify: OnNotify): Promise<void> {
    if (!forget(channel, onNotify)) return
    const current = await client
    if (current) await run(current, 'unlisten', channel)
  }

  /** True when nobody is left who listens to the channel. */
  function forget(channel: string, onNotify: OnNotify): boolean {
    const known = channels.get(channel)
    known?.delete(onNotify)
    return known?.size === 0 && channels.delete(channel)
  }

  /** One statement at a time: a pg client must not be asked while it is busy. */
  function run(current: pg.Client, verb: 'listen' | 'unlisten', channel: string): Promise<unknown> {
    const done = last.then(() => current.query(`${verb} ${current.escapeIdentifier(channel)}`))
    last = done.catch(() => null)
    return done
  }

  async function close(): Promise<void> {
    isClosed = true
    clearTimeout(retry)
    const current = await client?.catch(() => null)
    await current?.end()
  }

  return { listen, close }
}
