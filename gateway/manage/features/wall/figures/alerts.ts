/** Alerts of a unit: raised, kept and ended by the rule, acknowledged by a person. */
import { sql } from 'kysely'
import { alertSteps, breachesOf } from '#shared/wall/alert-rule.ts'
import type { ackAlert as call, BoardFigures } from '#shared/wall/wall-api.ts'
import { BOARD_TICK } from '#shared/wall/wall-live.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { narrowed, roomOf, type Scope, unitKey } from '../board-scope.ts'
import type { BoardFacts } from './board-facts.ts'

/**
 * Checks the limits of every watched unit.
 * @returns all alerts afterwards
 */
export async function watchLimits(
  context: AppContext,
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
          insert into board_alert (unit_key, alert_key, level, value, since)
            values (${key}, ${step.breach.key}, ${step.breach.level}, ${step.breach.value},
            ${facts.asOf}::timestamptz)
          on conflict (unit_key, alert_key) do update
            set level = excluded.level, value = excluded.value, back_at = null`.execute(
          context.database.kysely,
        )
      } else if (step.do === 'calm')
        await sql`
          update board_alert set back_at = ${facts.asOf}::timestamptz where unit_key = ${key}
            and alert_key = ${step.key} and back_at is null`.execute(context.database.kysely)
      else
        await sql`delete from board_alert where unit_key = ${key} and alert_key = ${step.key}`.execute(
          context.database.kysely,
        )
    }
    alerts = [
      ...alerts.filter((alert) => alert.unitKey !== key),
      ...(await alertsOf(context.database.kysely, key)),
    ]
  }
  return alerts
}

async function alertsOf(
  db: AppContext['database']['kysely'],
  key: string,
): Promise<BoardFacts['alerts']> {
  const { rows } = await sql<BoardFacts['alerts'][number]>`
    select l.unit_key as "unitKey", l.alert_key as key, l.level, l.value, ${isoTime('l.since')} as since,
      ${isoTime('l.back_at')} as "backAt", l.acked_by_name as "ackBy" from board_alert l
      where l.unit_key = ${key} order by l.since, l.alert_key`.execute(db)
  return rows
}

/**
 * Lasts until the alert ends; a new one of the same kind is shown again.
 * @throws Problem G404 for an ended alert, or a unit out of scope
 */
export async function ackAlert(
  tx: CommandTx,
  { alertKey, agencyId }: InputOf<typeof call>,
): Promise<null> {
  const actor = staff(tx.actor)
  const unit = await narrowed(tx.db, actor, agencyId)
  const key = unitKey(unit)
  const { rows } = await sql<{ asOf: string }>`
    update board_alert set acked_by = ${actor.userId}, acked_by_name = ${actor.userName},
      acked_at = clock_timestamp() where unit_key = ${key} and alert_key = ${alertKey}
      returning ${isoTime('clock_timestamp()')} as "asOf"`.execute(tx.db)
  const done = rows[0]
  if (!done) throw new Problem(NOT_FOUND)
  const alerts = (await alertsOf(tx.db, key)).map(({ key: name, level, value, since, ackBy }) => ({
    key: name,
    level,
    value,
    since,
    ackBy,
  }))
  tx.emit(BOARD_TICK, {
    subject: `board:${key}`,
    rooms: [roomOf({ ...unit, stageId: null })],
    data: { scope: key, asOf: done.asOf, alerts },
  })
  tx.log({ action: 'ack', targetKind: 'boardAlert', targetId: `${key}:${alertKey}` })
  return null
}
