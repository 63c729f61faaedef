/**
 * Carries presence between edges over Redis Pub/Sub. Each edge publishes a room when it changes and
 * all rooms every 5 s; the others drop an edge that is silent for 12 s (killed, cut off). Nothing
 * waits for Redis and nothing fails with it. Socket.IO's streams adapter is not used: it leaves a
 * rejected publish unhandled, spins while Redis is away, and would repeat on every edge each
 * broadcast that lacks `.local`.
 */
import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import type { Logger } from '#gateway/kernel/logger.ts'
import type { Presence, Present } from './presence.ts'

export interface PresenceBridge {
  publish(watch: string, members: Present[]): void
  close(): Promise<void>
}

export interface BridgeTimes {
  presencePublishMs: number
  presenceSilentMs: number
}

type Message = { edge: string } & (
  | { kind: 'room'; watch: string; members: Present[] }
  | { kind: 'all'; rooms: [string, Present[]][] }
  | { kind: 'hello' }
  | { kind: 'bye' }
)

const CHANNEL = 'lending-console:presence'

/** Connects in the background; returns at once. */
export function bridgePresence(
  redisUrl: string,
  presence: () => Presence,
  logger: Logger,
  times: BridgeTimes,
): PresenceBridge {
  const edge = randomUUID()
  const lastSeen = new Map<string, number>()
  const options = {
    url: redisUrl,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (tries: number) => Math.min(2_000, 100 * 2 ** Math.min(tries, 5)),
    },
  }
  const publisher = createClient(options)
  const subscriber = publisher.duplicate()
  for (const client of [publisher, subscriber])
    client.on('error', (err: Error) =>
      logger.debug({ err: err.message }, 'presence is not shared: Redis is away'),
    )

  function send(message: { kind: Message['kind'] } & Record<string, unknown>): void {
    if (publisher.isReady)
      publisher.publish(CHANNEL, JSON.stringify({ edge, ...message })).catch(() => undefined)
  }
  function publishAll(): void {
    send({ kind: 'all', rooms: presence().snapshot() })
  }
  function receive(text: string): void {
    try {
      take(JSON.parse(text) as Message)
    } catch (err) {
      logger.debug({ err }, 'a presence message cannot be read')
    }
  }
  function take(message: Message): void {
    if (message.edge === edge) return
    if (message.kind === 'bye') return forget(message.edge)
    lastSeen.set(message.edge, Date.now())
    if (message.kind === 'hello') publishAll()
    else if (message.kind === 'room')
      presence().receiveRoom(message.edge, message.watch, message.members)
    else presence().receiveAll(message.edge, message.rooms)
  }
  function forget(other: string): void {
    lastSeen.delete(other)
    presence().forgetEdge(other)
  }
  const timer = setInterval(() => {
    publishAll()
    for (const [other, at] of lastSeen) if (Date.now() - at > times.presenceSilentMs) forget(other)
  }, times.presencePublishMs)
  timer.unref()

  publisher.on('ready', publishAll)
  subscriber.on('ready', () => send({ kind: 'hello' }))
  publisher.connect().catch(() => undefined)
  subscriber
    .connect()
    .then(() => subscriber.subscribe(CHANNEL, receive))
    .then(() => send({ kind: 'hello' }))
    .catch((err: unknown) => logger.debug({ err }, 'presence is not shared yet'))

  return {
    publish: (watch, members) => send({ kind: 'room', watch, members }),
    async close() {
      clearInterval(timer)
      if (publisher.isReady)
        await publisher
          .publish(CHANNEL, JSON.stringify({ edge, kind: 'bye' }))
          .catch(() => undefined)
      for (const client of [publisher, subscriber]) if (client.isOpen) client.destroy()
    },
  }
}
