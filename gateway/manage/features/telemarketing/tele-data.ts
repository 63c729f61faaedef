/** What telemarketing knows of customers. */
import { sql } from 'kysely'
import { eraseRows, type PersonalData } from '#gateway/manage/kernel/personal-data.ts'

export const teleData: PersonalData = {
  name: 'telemarketing',
  erase: (tx, id) =>
    eraseRows(tx, {
      tele_record: sql`
        update tele_record set remark = null, contact_last4 = null
        where (remark is not null or contact_last4 is not null) and customer_id = ${id}`,
    }),
}
