/** What the baselines emit: a frame of the size that the edge sends for one event. */
import { randomUUID } from 'node:crypto'
import type { LiveFrame } from '#shared/kernel/live.ts'

/**
 * The changed field of every event of the bench; events of jobs, received as well, are not counted.
 */
export const BENCH_FIELD = 'bench'

export function bareFrame(seq: number, orderId: string, version: number): LiveFrame {
  return {
    upTo: seq,
    events: [
      {
        seq,
        id: randomUUID(),
        type: 'order.updated',
        subject: `order:${orderId}`,
        time: new Date().toISOString(),
        actor: { userId: 'bench', userName: 'bench' },
        version,
        data: { orderId, fields: [BENCH_FIELD] },
      },
    ],
  }
}
