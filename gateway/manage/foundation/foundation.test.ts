import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { engines } from '#tests/support/engines.ts'
import { FOUNDATION, prepareDatabase } from './foundation.ts'

describe.each(engines)('the foundation on $name', ({ open }) => {
  test('is written once, and what was changed or deleted stays so', async () => {
    const { database, close } = await open()
    const counted = async () => {
      const { rows } = await sql<Record<string, number>>`
        select (select count(*)::int from sys_config) as parameters,
          (select count(*)::int from stage) as stages,
          (select count(*)::int from sys_dict_detail) as words,
          (select count(*)::int from rule_version v where v.state = 'enabled') as rules,
          (select count(*)::int from merchant) as lenders`.execute(database.kysely)
      return rows[0]
    }
    try {
      await Promise.all([prepareDatabase(database), prepareDatabase(database)])
      const first = await counted()
      const words = FOUNDATION.dictionaries.flatMap(({ entries }) => entries).length
      expect(first).toEqual({
        parameters: FOUNDATION.parameters.length,
        stages: FOUNDATION.stages.length,
        words,
        rules: FOUNDATION.rules.rules.length,
        lenders: 1,
      })
      await sql`update sys_config set value = '7' where code = 'session.max'`.execute(
        database.kysely,
      )
      await sql`delete from sys_dict_detail where code = 'idiot'`.execute(database.kysely)
      await sql`delete from stage where stage_id = 'M3'`.execute(database.kysely)
      await prepareDatabase(database)
      expect(await counted()).toEqual({
        ...first,
        words: words - 1,
        stages: FOUNDATION.stages.length - 1,
      })
      const { rows } = await sql<{
        value: string
      }>`select c.value from sys_config c where c.code = 'session.max'`.execute(database.kysely)
      expect(rows).toEqual([{ value: '7' }])
    } finally {
      await close()
    }
  })
})
