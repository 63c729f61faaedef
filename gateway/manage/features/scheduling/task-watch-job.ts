/** Notifies administrators of tasks that are late or fail repeatedly. */
import { sql } from 'kysely'
import { type TaskAlert, WATCH_CLASS } from '#shared/scheduling/scheduling-sets.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { ALERT } from './task-queries.ts'

const NAME = 'taskWatch'

export const taskWatch: ScheduledClass = {
  name: WATCH_CLASS,
  cycle: 'every:60',
  async run(context) {
    const { rows } = await sql<{ changed: boolean }>`
      select exists (select 1 from scheduled_task t where t.class = any(${[...context.taskClasses()]})
        and t.alerted is distinct from ${ALERT}) as changed`.execute(context.database.kysely)
    if (rows[0]?.changed !== true) return {}
    return { notified: await alertAll(context) }
  },
}

async function alertAll(context: AppContext): Promise<number> {
  const { result } = await runCommand(
    context,
    { actor: systemActor(NAME), audit: { menu: 'timed_task', action: NAME } },
    async (tx) => {
      const { rows } = await sql<{ class: string; alerted: TaskAlert | null }>`
        update scheduled_task t set alerted = ${ALERT}
        where t.class = any(${[...context.taskClasses()]}) and t.alerted is distinct from ${ALERT}
        returning t.class, t.alerted`.execute(tx.db)
      const alerts = rows.filter(({ alerted }) => alerted !== null)
      tx.log({ action: NAME, after: { alerts: rows } })
      if (alerts.length > 0) await notifyAdministrators(tx, alerts)
      return alerts.length
    },
  )
  return result
}

async function notifyAdministrators(
  tx: CommandTx,
  alerts: readonly { class: string; alerted: TaskAlert | null }[],
): Promise<void> {
  tx.context.log.error({ tasks: alerts }, 'scheduled tasks are late or fail')
  const { rows: administrators } = await sql<{ id: string }>`
    select u.id from sys_user u join sys_role r on r.id = u.role_id where r.unique_mark = ${ADMINISTRATOR}
      and u.status <> 'disabled'`.execute(tx.db)
  for (const alert of ['failing', 'late'] as const) {
    const n = alerts.filter(({ alerted }) => alerted === alert).length
    if (n === 0) continue
    for (const { id: userId } of administrators)
      tx.notify({
        userId,
        kind: 'system',
        titleKey: `scheduling:notice.${alert}`,
        params: { n },
        route: `/system/timed_task?alert=${alert}`,
      })
  }
}
