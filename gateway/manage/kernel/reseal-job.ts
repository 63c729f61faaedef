/**
 * Moves what an earlier key sealed to the present seal key while the console works: values of
 * either key open, each chunk is one transaction, and after a crash the rest still carries its old
 * number and is found again.
 */
import { sql } from 'kysely'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from './app-context.ts'
import { retireEarlierKeys } from './book-keys.ts'
import type { Secrets } from './secrets.ts'
import type { SealedColumn } from './sealed-column.ts'

const ROWS = 500

export function resealClass(columns: readonly SealedColumn[]): ScheduledClass {
  /** Nothing is left of earlier keys, and nothing new is sealed with them. */
  let isDone = false
  return {
    name: 'reseal',
    cycle: 'every:60',
    async run(context) {
      if (isDone || context.secrets.sealKeyId === 1) return {}
      const moved = await resealAll(context, columns)
      // other processes may have sealed with an earlier key until they were restarted: only a look
      // that finds nothing ends it
      isDone = moved === 0
      if (isDone) {
        await retireEarlierKeys(context.database.kysely, context.secrets.sealKeyId)
        context.log.info(
          { sealKeyId: context.secrets.sealKeyId },
          'every sealed value has this key; earlier seal keys are needed no longer',
        )
      }
      return { resealed: moved }
    },
  }
}

/** @returns how many values were moved */
export async function resealAll(
  context: AppContext,
  columns: readonly SealedColumn[],
): Promise<number> {
  let moved = 0
  for (const sealed of columns) {
    for (let after = ''; ;) {
      const chunk = await inTransaction(context.database, (trx) =>
        resealChunk(trx, context.secrets, sealed, after),
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
  { place, table, column, only = 'true', chunk = ROWS }: SealedColumn,
  after: string,
): Promise<string[]> {
  const [rows, value] = [sql.table(table), sql.ref(column)]
  const found = await sql<{ id: string; sealed: Buffer }>`
    select x.id, x.${value} as sealed from ${rows} x
    where x.id > ${after} and x.${value} is not null and ${sql.raw(only)}
      and get_byte(substring(x.${value} from 2 for 1), 0) <> ${secrets.sealKeyId}
    order by x.id limit ${chunk} for update`.execute(trx)
  if (found.rows.length === 0) return []
  const anew = found.rows.map(({ id, sealed }) => ({
    id,
    sealed: secrets.seal(place, id, secrets.open(place, id, sealed)).toString('hex'),
  }))
  await sql`
    update ${rows} set ${value} = decode(r.sealed, 'hex')
    from jsonb_to_recordset(${JSON.stringify(anew)}::jsonb) as r (id text, sealed text)
    where ${sql.ref(`${table}.id`)} = r.id`.execute(trx)
  return anew.map(({ id }) => id)
}
