/** Scheduled work on an administrator's home page. */
import { sql } from 'kysely'
import { countRows, type HomePart } from '#gateway/manage/features/home/public.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'

const LIST = '/system/timed_task'
const keeps = ({ rights }: StaffActor): boolean => rights.permissions.has('timed_task:run')
const FAILED = sql`scheduled_task t where t.status = 'enabled' and t.fails_in_row > 0`

export const SCHEDULING_HOME: HomePart = {
  forAdministrator: true,
  next: (actor) =>
    keeps(actor)
      ? [
          {
            key: 'failedTask',
            count: countRows(FAILED),
            time: sql`(select min(t.last_run_at) from ${FAILED})`,
            target: LIST,
          },
        ]
      : [],
  lane: (actor) =>
    keeps(actor)
      ? [
          {
            kind: 'task',
            // what runs every few seconds is no appointment
            rows: sql`scheduled_task t where t.status = 'enabled' and t.cycle not like 'every:%'`,
            at: 't.next_run_at',
            id: 't.id',
            name: 't.name',
            target: LIST,
            list: LIST,
          },
        ]
      : [],
}
