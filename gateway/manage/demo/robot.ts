/** Whom the calling robot of the demo calls: reminders before the due day, and the first days after it. */
import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'

export async function seedRobot(trx: Trx): Promise<void> {
  await sql`
    insert into ai_call_config (product_id, min_days, max_days, start_time, end_time, robot_id, robot_name,
      repeat_interval_min, repeat_frequency, redial_interval_min, redial_max, ignore_labels, status,
      updated_by_name)
    select p.id, d.min_days, d.max_days, '10:00', '18:00', d.robot_id, d.robot_name, 180, d.rounds, 60, 1,
      '{b,d}', 'enabled', 'System'
    from (select id from product order by id limit 1) p
    cross join (values (-2, 0, 'REMIND', 'Reminder', 1), (1, 3, 'EARLY', 'Early days', 2))
      as d (min_days, max_days, robot_id, robot_name, rounds)`.execute(trx)
}
