/** Deletes objects at the vendor until it confirms, and looks whether the others are still there. */
import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext, ObjectPlace } from '#gateway/manage/kernel/app-context.ts'
import { hashOf, noteFault } from '#gateway/manage/kernel/stored-bytes.ts'
import type { StorageVendors } from '#gateway/manage/vendors/storage-vendors.ts'

const ERASED_AT_ONCE = 100
const LOOKED_AT_ONCE = 500
/** The others are asked for their length only. */
const READ_EVERY = 20
const LONGEST_WAIT_SECONDS = 3_600

export function objectErase(storage: StorageVendors): ScheduledClass {
  return {
    name: 'objectErase',
    cycle: 'every:60',
    async run(context) {
      const { kysely } = context.database
      const { rows } = await sql<{ id: string; cfgId: string }>`
        select s.id, s.tp_cfg_id as "cfgId" from stored_object s
        where s.state = 'erasing' and s.looked_at <= clock_timestamp()
        order by s.looked_at limit ${ERASED_AT_ONCE}`.execute(kysely)
      const failed = await eachUntilFailure(context, rows, async ({ id, cfgId }) => {
        await storage.call(cfgId, (store) => store.remove(id))
        await sql`delete from stored_object where id = ${id} and state = 'erasing'`.execute(kysely)
      })
      await sql`
        update stored_object set tries = tries + 1, looked_at = clock_timestamp()
          + make_interval(secs => least(60 * power(2, least(tries, 10)), ${LONGEST_WAIT_SECONDS}))
        where id = any(${failed})`.execute(kysely)
      return { erased: rows.length - failed.length, later: failed.length }
    },
  }
}

/**
 * Every object once a day, while there are fewer than twelve thousand: whether it is there and has its
 * length, and one in twenty read whole. What is found is in the row, where the proof counts it.
 */
export function objectCheck(storage: StorageVendors): ScheduledClass {
  return {
    name: 'objectCheck',
    cycle: 'every:3600',
    async run(context) {
      const { rows } = await sql<ObjectPlace & { fileId: string; sha256: Buffer; n: number }>`
        select s.id, s.tp_cfg_id as "cfgId", s.file_id as "fileId", s.size, s.sha256,
          row_number() over (order by s.looked_at, s.id)::int as n
        from stored_object s
        where s.state = 'kept' and s.looked_at < clock_timestamp() - interval '1 day'
        order by s.looked_at, s.id limit ${LOOKED_AT_ONCE}`.execute(context.database.kysely)
      let lost = 0
      const failed = await eachUntilFailure(context, rows, async (object) => {
        const { id, cfgId, fileId, size, sha256 } = object
        const isRead = object.n % READ_EVERY === 1
        const fault = await storage.call(cfgId, async (store) => {
          if (!isRead) return faultOf(await store.lengthOf(id), (length) => length === size)
          return faultOf(await store.get(id, size), (bytes) => hashOf(bytes).equals(sha256))
        })
        await noteFault(context, id, fault)
        if (fault === null) return
        lost += 1
        context.log.error({ fileId, objectId: id, cfgId, fault }, 'a file is lost at its store')
      })
      return { checked: rows.length - failed.length, lost, unavailable: failed.length }
    },
  }
}

function faultOf<Found>(
  found: Found | null,
  isRight: (found: Found) => boolean,
): 'missing' | 'damaged' | null {
  if (found === null) return 'missing'
  return isRight(found) ? null : 'damaged'
}

/** A store that failed is not asked again in this run. @returns ids of what was not done */
async function eachUntilFailure<Row extends { id: string; cfgId: string }>(
  { log, stopping }: AppContext,
  rows: readonly Row[],
  work: (row: Row) => Promise<void>,
): Promise<string[]> {
  const down = new Set<string>()
  const failed: string[] = []
  for (const row of rows) {
    if (!down.has(row.cfgId) && !stopping.aborted) {
      try {
        await work(row)
        continue
      } catch (error) {
        down.add(row.cfgId)
        log.warn({ err: error, cfgId: row.cfgId }, 'a store of files does not answer')
      }
    }
    failed.push(row.id)
  }
  return failed
}
