/**
 * Moves what an earlier key sealed to the key that seals now (trust.md H3), while the console works: values of either key open,
 * each chunk is one transaction, and after a crash the rest still carries its old number and is found again.
 */
import { sql } from 'kysely'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { House } from './house.ts'
import type { Secrets } from './secrets.ts'

interface SealedColumn {
  /** What the value is bound to, beside its row. */
  place: string
  table: string
  column: string
  /** Rows of the table that are sealed at all. */
  only?: string
  /** Rows in one transaction. */
  chunk: number
}

const ROWS = 500
/** Every place where sealed values stand; a test compares it with what the code seals. */
export const SEALED: readonly SealedColumn[] = [
  ...['phone_enc', 'pan_enc', 'address_enc', 'email_enc'].map((column) => ({
    place: `customer.${column}`,
    table: 'customer',
    column,
    chunk: ROWS,
  })),
  {
    place: 'customer_contact.phone_enc',
    table: 'customer_contact',
    column: 'phone_enc',
    chunk: ROWS,
  },
  { place: 'bank_card.account_enc', table: 'bank_card', column: 'account_enc', chunk: ROWS },
  {
    place: 'payout_transfer.account_enc',
    table: 'payout_transfer',
    column: 'account_enc',
    chunk: ROWS,
  },
  { place: 'repay_record.upi_enc', table: 'repay_record', column: 'upi_enc', chunk: ROWS },
  { place: 'agency.officer_phone', table: 'agency', column: 'officer_phone_enc', chunk: ROWS },
  { place: 'machine_key.secret', table: 'machine_key', column: 'secret_enc', chunk: ROWS },
  { place: 'sys_user.totp_secret', table: 'sys_user', column: 'totp_secret', chunk: ROWS },
  { place: 'sys_user.totp_secret', table: 'sys_user', column: 'totp_pending', chunk: ROWS },
  { place: 'export_request.input_enc', table: 'export_request', column: 'input_enc', chunk: ROWS },
  { place: 'export_part.lines_enc', table: 'export_part', column: 'lines_enc', chunk: 10 },
  // a photo is some hundred kilobytes, an export some megabytes
  {
    place: 'file_object.content',
    table: 'file_object',
    column: 'content',
    only: "purpose in ('photo', 'export', 'proof', 'stop', 'ticket')",
    chunk: 10,
  },
]

export function resealClass(): ScheduledClass {
  /** Nothing is left of earlier keys, and nothing new is sealed with them. */
  let isDone = false
  return {
    name: 'reseal',
    cycle: 'every:60',
    async run(house) {
      if (isDone || house.secrets.sealKeyId === 1) return ''
      const moved = await resealAll(house)
      // other processes may have sealed with an earlier key until they were restarted: only a look that finds nothing ends it
      isDone = moved === 0
      if (isDone)
        house.log.info(
          { sealKeyId: house.secrets.sealKeyId },
          'every sealed value has this key; earlier seal keys are needed no longer',
        )
      return isDone ? '' : `sealed values moved to key ${house.secrets.sealKeyId}: ${moved}`
    },
  }
}

/** @returns how many values were moved */
export async function resealAll(house: House): Promise<number> {
  let moved = 0
  for (const sealed of SEALED) {
    for (let after = ''; ;) {
      const chunk = await inTransaction(house.database, (trx) =>
        resealChunk(trx, house.secrets, sealed, after),
      )
      if (chunk.length === 0) break
      moved += chunk.length
      after = chunk.at(-1) as string
    }
  }
  return moved
}

/** @returns ids of the rows moved, in order */
async function resealChunk(
  trx: Trx,
  secrets: Secrets,
  { place, table, column, only = 'true', chunk }: SealedColumn,
  after: string,
): Promise<string[]> {
  const [rows, value] = [sql.table(table), sql.ref(column)]
  const found = await sql<{ id: string; sealed: Buffer }>`
    select x.id, x.${value} as sealed from ${rows} x
    where x.id > ${after} and x.${value} is not null and ${sql.raw(only)} and get_byte(substring(x.${value} from 2 for 1), 0) <> ${secrets.sealKeyId}
    order by x.id limit ${chunk} for update`.execute(trx)
  if (found.rows.length === 0) return []
  const anew = found.rows.map(({ id, sealed }) => ({
    id,
    sealed: secrets.seal(place, id, secrets.open(place, id, sealed)).toString('hex'),
  }))
  await sql`
    update ${rows} set ${value} = decode(r.sealed, 'hex')
    from jsonb_to_recordset(${JSON.stringify(anew)}::jsonb) as r (id text, sealed text) where ${sql.ref(`${table}.id`)} = r.id`.execute(
    trx,
  )
  return anew.map(({ id }) => id)
}
