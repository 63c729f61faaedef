/** Files and their objects at vendors. */
import type { Invariants } from '#gateway/manage/db/invariant.ts'

export const STORAGE_INVARIANTS: Invariants = {
  S07: [
    'a file lies here or at a vendor, not in both places and not in none',
    `
    select o.id from file_object o
    where o.content is null and not exists (select 1 from stored_object s
      where s.file_id = o.id and s.state = 'kept')
    union all
    select s.file_id from stored_object s
    where s.state = 'kept' and not exists (select 1 from file_object o
      where o.id = s.file_id and o.content is null)`,
  ],
  S08: [
    'files at vendors were there, unchanged, when they were looked for last',
    `select s.file_id as id from stored_object s where s.fault is not null`,
  ],
}
