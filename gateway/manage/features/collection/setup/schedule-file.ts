/** The file for importing a week of shifts: empty, or with the current week. */
import { sql } from 'kysely'
import type { Shift } from '#shared/collection/collection-sets.ts'
import type { scheduleTemplate } from '#shared/collection/setup-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { CSV_MIME, csvFile, csvLine } from '#gateway/manage/features/exports/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import { daysOfWeek, peopleOnTable, requireMonday } from './schedule.ts'

/** The import looks for the first heading. */
const HEAD = [
  'account',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]

/** @throws Problem G-FIELD unless the week begins on a Monday */
export async function scheduleFile(
  tx: CommandTx,
  { weekStart, ...units }: InputOf<typeof scheduleTemplate>,
): Promise<FileAnswer> {
  const lines = [HEAD, ...(weekStart === undefined ? [] : await findWeek(tx, weekStart, units))]
  tx.log({
    action: 'export',
    targetKind: 'schedule',
    targetId: weekStart ?? 'template',
    after: { ...units, rows: lines.length - 1 },
  })
  return new FileAnswer(
    CSV_MIME,
    csvFile(lines.map((line) => csvLine(line.map((text) => ({ text, kind: 'text' as const }))))),
    weekStart === undefined ? 'duty.csv' : `duty-${weekStart}.csv`,
  )
}

async function findWeek(
  tx: CommandTx,
  weekStart: string,
  units: Omit<InputOf<typeof scheduleTemplate>, 'weekStart'>,
): Promise<string[][]> {
  requireMonday(weekStart, 'weekStart')
  const { rows } = await sql<{ account: string; days: Shift[] }>`
    select u.account, ${daysOfWeek('s')} as days
    from collector k join sys_user u on u.id = k.user_id left join team_group t on t.id = u.group_id left
      join duty_schedule s on s.user_id = u.id and s.week_start = ${weekStart}::date
    where ${peopleOnTable(staff(tx.actor), units)}
    order by t.name nulls last, u.user_name, u.id`.execute(tx.db)
  return rows.map(({ account, days }) => [account, ...days])
}
