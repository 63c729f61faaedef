/**
 * From a commit to the sockets on a fresh book, and after 200,000 events that no vacuum has tidied
 * up: what the relay and the sealer read must not grow with how long the server has been working.
 */
import type { CommitLoad, Commits } from './children/manage-process.ts'
import type { OpenSockets } from './children/socket-load.ts'
import { type Delivered, deliver } from './live-lines.ts'
import { median } from './measure.ts'
import type { Bench } from './stage.ts'
import { type Line, short } from './table.ts'

const EVENTS = Number(process.env.AGED_EVENTS ?? 200_000)
const LISTENERS = 500
const ROOMS = 10
const PER_SECOND = 200
const ROUNDS = 3
const COUNT = 600
const MOST_RATIO = 1.5
/** Below this a ratio is that of two overheads. */
const NOISE_MS = 5

export async function agedLines({ book, manage, edgeUrl, start }: Bench): Promise<Line[]> {
  const listeners = await start('socket-load')
  const orderIds = book.orderIds.slice(0, ROOMS)
  await listeners.ask('open', {
    url: edgeUrl,
    count: LISTENERS,
    auth: book.tokens.managers.map((token) => ({ token, lastSeq: null })),
    watch: orderIds.map((id) => `order:${id}`),
  } satisfies OpenSockets)
  const round = (count: number): Promise<Delivered> =>
    deliver(listeners, Array<number>(ROOMS).fill(count / ROOMS), () =>
      manage.ask<Commits>('commit', {
        perSecond: PER_SECOND,
        count,
        orderIds,
      } satisfies CommitLoad),
    )
  const measured = async (): Promise<{ p50: number; p99: number }> => {
    const rounds: Delivered[] = []
    for (let n = 0; n < ROUNDS; n += 1) rounds.push(await round(COUNT))
    const of = (at: 'p50' | 'p99') => median(rounds.map(({ latencyMs }) => latencyMs[at]))
    return { p50: of('p50'), p99: of('p99') }
  }
  await round(COUNT / 3)
  const fresh = await measured()
  await manage.ask('age', EVENTS)
  await manage.ask('settle')
  await round(COUNT / 3)
  const aged = await measured()
  await listeners.stop()
  const ratio = Math.max(aged.p50, NOISE_MS) / Math.max(fresh.p50, NOISE_MS)
  return [
    {
      what:
        `commit → socket after ${EVENTS.toLocaleString('en-US')} events without a vacuum ` +
        `(${book.engine})`,
      ratio,
      target: `≤ ${MOST_RATIO}×`,
      pass: ratio <= MOST_RATIO,
      product: `p50 ${short(aged.p50)}, p99 ${short(aged.p99)} ms`,
      baseline: `before: p50 ${short(fresh.p50)}, p99 ${short(fresh.p99)} ms`,
    },
  ]
}
