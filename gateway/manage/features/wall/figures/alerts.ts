/** Alerts of a unit: raised, kept and ended by the rule, taken off the boards by a person. */
import { sql } from 'kysely'
import { alertSteps, breachesOf } from '#shared/wall/alert-rule.ts'
import type { ackAlert as call, BoardFigures } from '#shared/wall/wall-api.ts'
import { BOARD_TICK } from '#shared/wall/wall-live.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { narrowed, roomOf, type Scope, unitKey } from '../board-scope.ts'
import type { BoardFacts } from './board-facts.ts'

/** Watches the limits of every unit somebody looks at. @returns all alerts as they stand after it */
export async function watchLimits(
  house: House,
  facts: BoardFacts,
  scopes: readonly Scope[],
  figures: (scope: Scope) => BoardFigures,
): Promise<BoardFacts['alerts']> {
  const units = new Map(scopes.map((scope) => [unitKey(scope), { ...scope, stageId: null }]))
  let { alerts } = facts
  for (const [key, scope] of units) {
    const now = figures(scope)
    const steps = alertSteps(
      alerts.filter((alert) => alert.unitKey === key),
      breachesOf(now, now.thresholds, facts.asOf),
      facts.asOf,
    )
    if (steps.length === 0) continue
    for (const step of steps) {
      if (step.do === 'raise' || step.do === 'update') {
        await sql`
          insert into board_alert (unit_key, alert_key, level, value, since) values (${key}, ${step.breach.key}, ${step.breach.level}, ${step.breach.value}, ${facts.asOf}::timestamptz)
          on conflict (unit_key, alert_key) do update set level = excluded.level, value = excluded.value, back_at = null`.execute(
          house.database.kysely,
        )
      } else if (step.do === 'calm')
        await sql`update board_alert set back_at = ${facts.asOf}::timestamptz where unit_key = ${key} and alert_key = ${step.key} and back_at is null`.execute(
          house.database.kysely,
        )
      else
        await sql`delete from board_alert where unit_key = ${key} and alert_key = ${step.key}`.execute(
          house.database.kysely,
        )
    }
    alerts = [
      ...alerts.filter((alert) => alert.unitKey !== key),
      ...(await alertsOf(house.database.kysely, key)),
    ]
  }
  return alerts
}

async function alertsOf(
  db: House['database']['kysely'],
  key: string,
): Promise<BoardFacts['alerts']> {
  const { rows } = await sql<BoardFacts['alerts'][number]>`
    select l.unit_key as "unitKey", l.alert_key as key, l.level, l.value, ${isoTime('l.since')} as since, ${isoTime('l.back_at')} as "backAt", l.acked_by_name as "ackBy" from board_alert l where l.unit_key = ${key} order by l.since, l.alert_key`.execute(
    db,
  )
  return rows
}

/** Until it ends; a new one of the same kind is shown again. @throws Problem G404 for an alert that is over, or a unit that is not the caller's */
export async function ackAlert(
  cx: Cx,
  { alertKey, agencyId }: InputOf<typeof call>,
): Promise<null> {
  const actor = staff(cx.actor)
  const unit = await narrowed(cx.db, actor, agencyId)
  const key = unitKey(unit)
  const { rows } = await sql<{ asOf: string }>`
    update board_alert set acked_by = ${actor.userId}, acked_by_name = ${actor.userName}, acked_at = clock_timestamp() where unit_key = ${key} and alert_key = ${alertKey} returning ${isoTime('clock_timestamp()')} as "asOf"`.execute(
    cx.db,
  )
  const done = rows[0]
  if (!done) throw new Problem(NOT_FOUND)
  const alerts = (await alertsOf(cx.db, key)).map(({ key: name, level, value, since, ackBy }) => ({
    key: name,
    level,
    value,
    since,
    ackBy,
  }))
  cx.emit(BOARD_TICK, {
    subject: `board:${key}`,
    rooms: [roomOf({ ...unit, stageId: null })],
    data: { scope: key, asOf: done.asOf, alerts },
  })
  cx.log({ action: 'ack', targetKind: 'boardAlert', targetId: `${key}:${alertKey}` })
  return null
}
