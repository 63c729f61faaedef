/**
 * Baseline of live events, as a first implementation: an unmodified Socket.IO server that emits to
 * a room right after its commit, without log, permissions and resume.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { Server } from 'socket.io'
import { LIVE_NAMESPACE } from '#shared/kernel/live.ts'
import type { BareDatabase } from '../book.ts'
import { sharedNow } from '../measure.ts'
import { BENCH_FIELD, bareFrame } from './bare-event.ts'
import { openBare } from './bare-database.ts'
import { serveBench } from './child.ts'
import type { CommitLoad, Commits } from './manage-process.ts'
import { atPace } from './pace.ts'

export interface EmitLoad {
  perSecond: number
  count: number
}

const server = createServer()
const io = new Server(server, { transports: ['websocket'] })
const floor = io.of(LIVE_NAMESPACE)
floor.on(
  'connection',
  (socket) => void socket.join((socket.handshake.auth as { room: string }).room),
)

let pool: pg.Pool | null = null
let seq = 0

serveBench({
  async start(bare: BareDatabase) {
    pool = await openBare(bare)
    await pool.query('create table if not exists bare_event (like outbox_event including all)')
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  },
  url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  commit,
  emit,
})

/** Changes orders as the product does, and emits to the room of each after its commit. */
async function commit({ perSecond, count, orderIds, rooms }: CommitLoad): Promise<Commits> {
  const commits: Commits = []
  await atPace(perSecond, count, async (n) => {
    const orderId = orderIds[n % orderIds.length] as string
    const version = await change(pool as pg.Pool, orderId)
    commits.push([`order:${orderId} ${version}`, sharedNow()])
    seq += 1
    floor.to(rooms ?? [`order:${orderId}`]).emit('event', bareFrame(seq, orderId, version))
  })
  return commits
}

async function change(from: pg.Pool, orderId: string): Promise<number> {
  const client = await from.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ version: number }>(
      'update loan_order set version = version + 1, updated_at = clock_timestamp() where id = $1 returning version',
      [orderId],
    )
    const { version } = rows[0] as { version: number }
    await client.query(
      "insert into bare_event (type, subject, rooms, data, entity_version) values ('order.updated', $1, $2, $3, $4)",
      [
        `order:${orderId}`,
        [`order:${orderId}`],
        JSON.stringify({ orderId, fields: [BENCH_FIELD] }),
        version,
      ],
    )
    await client.query('commit')
    return version
  } finally {
    client.release()
  }
}

/** Emits only. */
async function emit({ perSecond, count }: EmitLoad): Promise<Commits> {
  const sent: Commits = []
  await atPace(perSecond, count, () => {
    seq += 1
    const frame = bareFrame(seq, 'L1', seq)
    sent.push([`order:L1 ${seq}`, sharedNow()])
    floor.emit('event', frame)
  })
  return sent
}
