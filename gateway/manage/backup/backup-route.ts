/** `POST /backup` on the internal listener: what `npm run backup` asks a running console. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '#gateway/manage/db/client.ts'
import { takeBackup } from './take-backup.ts'

/** @param dataDir what is copied, and where `database/` is in it */
export function serveBackups(app: FastifyInstance, database: Database, dataDir: string): void {
  app.post('/backup', { config: { open: 'internal' } as never }, async (request, reply) => {
    const { to } = (request.body ?? {}) as { to?: unknown }
    if (typeof to !== 'string' || to === '') return reply.code(400).send({ error: 'to is missing' })
    try {
      return await takeBackup({ dataDir, backupDir: to }, database)
    } catch (error) {
      return reply.code(500).send({ error: (error as Error).message })
    }
  })
}
