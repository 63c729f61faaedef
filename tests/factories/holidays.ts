/** Days without recovery contact, as an administrator enters them. */
import { sql } from 'kysely'
import type { Floor } from '#tests/support/manage.ts'

export async function makeHoliday(
  { database }: Pick<Floor, 'database'>,
  day: string,
  name: string,
): Promise<void> {
  await sql`
    insert into sys_dict_detail (dict_id, code, labels)
      select d.id, ${day}, jsonb_build_object('en', ${name}::text) from sys_dict d where d.code = 'holiday'`.execute(
    database.kysely,
  )
}

export async function dropHolidays({ database }: Pick<Floor, 'database'>): Promise<void> {
  await sql`
    delete from sys_dict_detail e using sys_dict d where d.id = e.dict_id and d.code = 'holiday'`.execute(
    database.kysely,
  )
}
