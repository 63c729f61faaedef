/** A server between two vacuums: events and log entries of hours, published in the batches of a busy day. */
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'

/** The relay is woken by nearly each commit, and then numbers a few events. */
const BATCH = 20
/** Batches of one call: the driver must not wait for each of them. */
const BATCHES = 250
const BUSY_TABLES = ['outbox_event', 'operate_log', 'relay_state', 'log_chain', 'loan_order']
/** A table that is divided by months has no rows of its own. */
const HEAPS = `
  select c.oid::regclass::text as heap
  from pg_class c
    left join (pg_inherits i join pg_class whole on whole.oid = i.inhparent) on i.inhrelid = c.oid
  where c.relkind = 'r' and coalesce(whole.relname, c.relname) = any($1)`

/** Nobody receives these events. Autovacuum stays off until the book is dropped. */
export async function ageBook({ database }: AppContext, events: number): Promise<void> {
  const client = await database.pool.connect()
  try {
    const { rows } = await client.query<{ heap: string }>(HEAPS, [BUSY_TABLES])
    for (const { heap } of rows)
      await client.query(`alter table ${heap} set (autovacuum_enabled = off)`)
    for (let done = 0; done < events; done += BATCH * BATCHES)
      await client.query(`do $$
        begin
          for n in 1..${BATCHES} loop
            insert into outbox_event (type, subject, rooms, data)
              select 'bench.aged', 'bench:aged', '{bench:nobody}', '{}' from generate_series(1, ${BATCH});
            insert into operate_log (action, result)
              select 'bench', 'ok' from generate_series(1, ${BATCH});
            commit;
            perform relay_publish(${BATCH});
            commit;
          end loop;
        end $$`)
  } finally {
    client.release()
  }
}
