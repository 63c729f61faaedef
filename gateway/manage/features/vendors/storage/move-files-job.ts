/** Moves the files of apps with a store of their own, the oldest first. */
import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { StorageVendors } from '#gateway/manage/vendors/storage-vendors.ts'
import { giveUpLost, moveFile, NotAsStored } from './move-file.ts'
import type { OwnedFiles } from './owned-files.ts'

/** Of one app in one run. */
const AT_ONCE = 100
/** A file may be committed so long after its time. */
const LATE_MINUTES = 10

interface Found {
  id: string
  at: string
}

export function fileMove(storage: StorageVendors, owned: readonly OwnedFiles[]): ScheduledClass {
  return {
    name: 'fileMove',
    cycle: 'every:60',
    async run(context) {
      await giveUpLost(context)
      const { rows: apps } = await sql<{ id: string }>`
        select distinct s.app_id as id from tp_app_cfg s
          where s.kind = 'storage' and s.status = 'enabled' order by 1`.execute(
        context.database.kysely,
      )
      let moved = 0
      for (const { id } of apps) moved += await moveOf(context, storage, owned, id)
      return { moved }
    },
  }
}

/** Ends with the first file that no vendor keeps: the next run goes on there. */
async function moveOf(
  context: AppContext,
  storage: StorageVendors,
  owned: readonly OwnedFiles[],
  appId: string,
): Promise<number> {
  const { found, now } = await filesHere(context, owned, appId)
  let moved = 0
  let movedTo: string | null = null
  for (const { id, at } of found) {
    if (context.stopping.aborted) break
    try {
      if (await moveFile(context, storage, { appId, fileId: id })) moved += 1
    } catch (error) {
      if (!(error instanceof NotAsStored)) {
        context.log.warn({ err: error, appId, fileId: id }, 'no store keeps the files of an app')
        break
      }
      context.log.error({ err: error, fileId: id }, 'a file cannot be moved: it was changed here')
    }
    movedTo = at
  }
  const isAll = found.length < AT_ONCE && (found.at(-1)?.at ?? null) === movedTo
  await remember(context, appId, isAll ? now : movedTo)
  return moved
}

async function filesHere(
  { database }: AppContext,
  owned: readonly OwnedFiles[],
  appId: string,
): Promise<{ found: Found[]; now: string }> {
  const customer = sql.join(owned.map(({ customerOf }) => customerOf))
  const { rows: times } = await sql<{ now: string }>`
    select clock_timestamp()::text as now`.execute(database.kysely)
  const { rows: found } = await sql<Found>`
    select o.id, o.created_at::text as at from file_object o
    where o.content is not null
      and o.created_at >= coalesce((select m.moved_to - make_interval(mins => ${LATE_MINUTES})
        from file_move m where m.app_id = ${appId}), '-infinity')
      and (select c.app_id from customer c where c.id = coalesce(${customer})) = ${appId}
    order by o.created_at, o.id limit ${AT_ONCE}`.execute(database.kysely)
  return { found, now: times[0]?.now ?? '' }
}

async function remember(
  { database }: AppContext,
  appId: string,
  movedTo: string | null,
): Promise<void> {
  if (movedTo === null) return
  await sql`
    insert into file_move as m (app_id, moved_to) values (${appId}, ${movedTo}::timestamptz)
      on conflict (app_id) do update set moved_to = greatest(m.moved_to, excluded.moved_to)`.execute(
    database.kysely,
  )
}
