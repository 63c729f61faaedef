import { sql } from 'kysely'
import type { Audience } from '#gateway/manage/kernel/audience.ts'
import { customerInScope } from './customer-scope.ts'

export const CUSTOMERS_AUDIENCE: Audience = {
  watch: {
    async customer(db, actor, key) {
      const { rows } =
        await sql`select from customer c where c.id = ${key} and ${customerInScope(actor)}`.execute(
          db,
        )
      return rows.length === 0 ? null : `customer:${key}`
    },
  },
}
