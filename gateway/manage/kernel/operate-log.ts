import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#gateway/manage/db/client.ts'

const SEAL_MS = 1_000
const ANCHOR_MS = 60_000

/**
 * Chains committed operate-log rows once a second and writes the chain's end to the process log
 * each minute: an anchor outside the database, against which a cut tail shows.
 */
export function sealerOf(database: Database, log: FastifyBaseLogger) {
  let running: Promise<void> | null = null
  let sealTimer: NodeJS.Timeout | null = null
  let anchorTimer: NodeJS.Timeout | null = null

  function seal(): Promise<void> {
    running ??= (async () => {
      for (;;) {
        const { rows } = await sql<{
          sealed: number
        }>`select operate_log_seal(500) as sealed`.execute(database.kysely)
        if ((rows[0]?.sealed ?? 0) < 500) return
      }
    })().finally(() => {
      running = null
    })
    return running
  }
  async function anchor(): Promise<void> {
    const { rows } = await sql<{
      last_no: number
      hash: string
    }>`select c.last_no, encode(c.last_hash, 'hex') as hash from log_chain c`.execute(
      database.kysely,
    )
    log.info({ chainNo: rows[0]?.last_no, chainHash: rows[0]?.hash }, 'operate log anchor')
  }
  const report = (error: unknown) =>
    log.error({ err: error }, 'the operate log could not be sealed; it tries again')
  return {
    start() {
      sealTimer = setInterval(() => void seal().catch(report), SEAL_MS)
      anchorTimer = setInterval(() => void anchor().catch(report), ANCHOR_MS)
    },
    settle: seal,
    async stop() {
      if (sealTimer) clearInterval(sealTimer)
      if (anchorTimer) clearInterval(anchorTimer)
      await running?.catch(() => undefined)
    },
  }
}
