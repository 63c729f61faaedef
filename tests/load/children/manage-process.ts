/** Manage as main.ts starts it, with one command more: a change of orders at a steady pace, so that real commits can be timed where they happen. */
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { readConfig } from '#gateway/config.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { type Prepared, prepareManage } from '#gateway/prepare-manage.ts'
import { ORDER_UPDATED } from '#shared/orders/orders-live.ts'
import { sharedNow } from '../measure.ts'
import { serveBench } from './child.ts'

export interface CommitLoad {
  perSecond: number
  ms: number
  orderIds: string[]
  /** Who hears it; each order's own room when absent. */
  rooms?: string[]
}
/** When the commit of each change was acknowledged: `order:id version` and the shared clock. */
export type Commits = [string, number][]

let prepared: Prepared | null = null
function started(): Prepared {
  if (!prepared) throw new Error('manage was not started')
  return prepared
}

serveBench({
  async start(env: Record<string, string>) {
    const config = readConfig({ ROLE: 'manage', LOG_LEVEL: 'error', ...env }, '')
    prepared = await prepareManage(config, { version: 'bench', commit: 'bench', build: 'bench' }, config.internalSecret as string, createLogger('error'), (error) => {
      throw error
    })
    await prepared.manage.settle()
    await prepared.manage.app.listen({ host: '127.0.0.1', port: 0 })
    await prepared.manage.internal.listen({ host: '127.0.0.1', port: 0 })
  },
  urls: () => ({ calls: urlOf(started().manage.app.server.address()), feed: urlOf(started().manage.internal.server.address()) }),
  settle: () => started().manage.settle(),
  commit,
})

function urlOf(address: AddressInfo | string | null): string {
  return `http://127.0.0.1:${(address as AddressInfo).port}`
}

async function commit({ perSecond, ms, orderIds, rooms }: CommitLoad): Promise<Commits> {
  const { house } = started().manage
  const commits: Commits = []
  const open = new Set<Promise<void>>()
  const begin = sharedNow()
  async function change(orderId: string): Promise<void> {
    const { kind, ...outcome } = await runCommand(house, { actor: systemActor('bench'), audit: { action: 'bench' } }, async (cx) => {
      const { rows } = await sql<{ version: number }>`update loan_order set version = version + 1, updated_at = clock_timestamp() where id = ${orderId} returning version`.execute(cx.db)
      const { version } = rows[0] as { version: number }
      cx.emit(ORDER_UPDATED, { subject: `order:${orderId}`, version, rooms: rooms ?? [`order:${orderId}`], data: { orderId, fields: ['remarks'] } })
      return version
    })
    if (kind === 'done') commits.push([`order:${orderId} ${(outcome as { result: number }).result}`, sharedNow()])
  }
  for (let n = 0; sharedNow() - begin < ms; n += 1) {
    const wait = begin + (n * 1_000) / perSecond - sharedNow()
    if (wait > 0) await new Promise((resume) => setTimeout(resume, wait))
    const one = change(orderIds[n % orderIds.length] as string)
    open.add(one)
    void one.finally(() => open.delete(one))
  }
  await Promise.all(open)
  return commits
}
