import { setTimeout as rest } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#gateway/manage/db/client.ts'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'
import { appendAnchor, isSignedChain, readAnchor } from './chain-signature.ts'
import type { Secrets } from './secrets.ts'

const SEAL_MS = 1_000
const ANCHOR_MS = 60_000
/** Rows of a slice: a command that writes meanwhile waits for no more than these. */
const SLICE = 100

/**
 * Chains committed operate-log rows once a second and signs the chain's end. Each minute the end is
 * written to the process log and to a file: anchors outside the database, against which a cut or
 * rewritten chain shows.
 * @param anchorFile null = the process log only, whatever its level
 */
export function sealerOf(
  database: Database,
  secrets: Secrets,
  log: FastifyBaseLogger,
  anchorFile: string | null,
) {
  // where the process log is the only place, no level hides an anchor: it is evidence
  const isHidden = anchorFile === null && log.level !== 'silent'
  const evidence = isHidden ? log.child({}, { level: 'info' }) : log
  let running: Promise<void> | null = null
  let waiting = 0
  let sealTimer: NodeJS.Timeout | null = null
  let anchorTimer: NodeJS.Timeout | null = null
  let anchored = -1
  let reportedBroken = false

  /** Between two slices it rests as long as it worked, unless someone waits for its end. */
  function seal(): Promise<void> {
    running ??= (async () => {
      for (;;) {
        const from = performance.now()
        if ((await inTransaction(database, sealSlice)) < SLICE) return
        if (waiting === 0) await rest(performance.now() - from)
      }
    })().finally(() => {
      running = null
    })
    return running
  }

  async function settle(): Promise<void> {
    waiting += 1
    try {
      await seal()
    } finally {
      waiting -= 1
    }
  }

  async function sealSlice(trx: Trx): Promise<number> {
    const { rows } = await sql<{
      sealed: number
    }>`select operate_log_seal(${SLICE}) as sealed`.execute(trx)
    const sealed = rows[0]?.sealed ?? 0
    if (sealed === 0) return 0
    if (await isSignedChain(trx, secrets)) {
      const { no, signature } = await readAnchor(trx, secrets)
      await sql`update log_chain set signed_no = ${no}, signature = ${signature}`.execute(trx)
      reportedBroken = false
    } else if (!reportedBroken) {
      // what was signed last stays as evidence; entries are chained on, without a signature
      log.error('the operate log was changed outside the console: its signed entry is another one')
      reportedBroken = true
    }
    return sealed
  }

  async function anchor(): Promise<void> {
    const end = await readAnchor(database.kysely, secrets)
    if (end.no === anchored) return
    evidence.info({ chainNo: end.no, chainHash: end.hash }, 'operate log anchor')
    if (anchorFile !== null) appendAnchor(anchorFile, end)
    anchored = end.no
  }
  const report = (error: unknown) =>
    log.error({ err: error }, 'the operate log could not be sealed or anchored; it tries again')
  return {
    start() {
      sealTimer = setInterval(() => void seal().catch(report), SEAL_MS)
      anchorTimer = setInterval(() => void anchor().catch(report), ANCHOR_MS)
    },
    settle,
    async stop() {
      if (sealTimer) clearInterval(sealTimer)
      if (anchorTimer) clearInterval(anchorTimer)
      await running?.catch(() => undefined)
      if (!anchorTimer) return
      // entries of the last second are chained, those of the last minute anchored; more wait for the next start
      await inTransaction(database, sealSlice).then(anchor).catch(report)
    },
  }
}
