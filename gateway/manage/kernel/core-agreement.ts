/**
 * Cores of one book must judge applications in one way and open what each of them seals. Each says
 * in the database what it was started with, and says so again while it runs; one that disagrees
 * with another that runs does not start.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#gateway/manage/db/client.ts'
import { type Db, inTransaction } from '#gateway/manage/db/transaction.ts'
import { KeysRefused } from './book-keys.ts'
import type { Secrets } from './secrets.ts'

const SAY_MS = 5_000
/** A core that was silent for this long does not run. */
const SILENT_SECONDS = 15

/** Two cores of one book were started with different settings. */
export class CoresDisagree extends Error {
  override readonly name = 'CoresDisagree'
  readonly code = 'CORES_DISAGREE'
}

export interface CoreAgreement {
  /** Whether no other core contradicts this one. */
  agrees(): boolean
  /** Takes its word back, so that a successor with other settings may start at once. */
  stop(): Promise<void>
}

interface OtherCore {
  place: string
  machine_review: string
  seal_with: number
  keys: Record<string, string>
}

/**
 * Says what this core was started with, for as long as it runs.
 * @throws CoresDisagree, KeysRefused in one line, with the place of the other core
 */
export async function agreeWithCores(
  database: Database,
  secrets: Secrets,
  machineReview: string,
  log: FastifyBaseLogger,
): Promise<CoreAgreement> {
  const id = randomUUID()
  let agrees = true
  await inTransaction(database, async (trx) => {
    // two cores that start at once see each other
    await sql`lock table running_core in exclusive mode`.execute(trx)
    const refused = (await otherCores(trx, id))
      .map((other) => contradiction(other, secrets, machineReview))
      .find((one) => one !== null)
    if (refused) throw refused
    await announce(trx)
  })

  async function announce(db: Db): Promise<void> {
    const keys = Object.fromEntries(secrets.keys.map((key) => [key.id, key.fingerprint]))
    await sql`
      insert into running_core (core_id, place, machine_review, seal_with, keys)
        values (${id}, ${`${hostname()}:${process.pid}`}, ${machineReview}, ${secrets.sealKeyId},
          ${JSON.stringify(keys)}::jsonb)
        on conflict (core_id) do update set seen_at = clock_timestamp()`.execute(db)
  }

  async function renew(): Promise<void> {
    await announce(database.kysely)
    const other = (await otherCores(database.kysely, id))
      .map((one) => contradiction(one, secrets, machineReview))
      .find((one) => one !== null)
    if (other && agrees) log.error(other.message)
    agrees = other === undefined
  }

  const timer = setInterval(
    () => void renew().catch((error: unknown) => log.warn({ err: error }, 'not said again')),
    SAY_MS,
  )
  timer.unref()
  return {
    agrees: () => agrees,
    async stop() {
      clearInterval(timer)
      await sql`delete from running_core where core_id = ${id}`
        .execute(database.kysely)
        .catch(() => undefined)
    },
  }
}

async function otherCores(db: Db, id: string): Promise<OtherCore[]> {
  const { rows } = await sql<OtherCore>`
    select c.place, c.machine_review, c.seal_with, c.keys
    from running_core c
    where c.core_id <> ${id}
      and c.seen_at > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS})
    order by c.place`.execute(db)
  return rows
}

function contradiction(
  other: OtherCore,
  secrets: Secrets,
  machineReview: string,
): CoresDisagree | KeysRefused | null {
  const core = `the core ${other.place} of this book`
  const wait = `Stop it first; of one that was killed, ${SILENT_SECONDS} seconds are waited.`
  if (other.machine_review !== machineReview)
    return new CoresDisagree(
      `${core} runs with MACHINE_REVIEW=${other.machine_review}, this one was started with ` +
        `${machineReview}. ${wait}`,
    )
  const own = new Map(secrets.keys.map((key) => [key.id, key.fingerprint]))
  const { sealKeyId } = secrets
  if (other.keys[sealKeyId] !== own.get(sealKeyId))
    return new KeysRefused(
      `${core} does not have seal key ${sealKeyId}. Keep SEAL_WITH at the present number until the ` +
        'last core has the new key.',
    )
  if (other.keys[other.seal_with] !== own.get(other.seal_with))
    return new KeysRefused(
      `${core} seals with key ${other.seal_with}, which is missing here or another one. ` +
        'Add it to SEAL_KEYS.',
    )
  return null
}
