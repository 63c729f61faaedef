/** Runs of nodes and their messages, as the screen shows them. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import type * as api from '#shared/telemarketing/node-api.ts'
import { COUPON_EXCLUSIONS } from '#shared/telemarketing/node-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  notNull,
  onePage,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import { sinceDay, untilDay } from '#gateway/manage/kernel/ist-days.ts'
import { exclusionsOf } from './audience.ts'
import { EFFECT_JOIN, type EffectCounts, ratesOf, type StoredEffect } from './run-effect.ts'

type Run = Static<typeof api.RunRow>

const RUN_SORTS = {
  startTime: notNull('r.started_at'),
  nodeName: notNull('lower(n.name)'),
  matched: 'r.matched',
  taken: 'r.taken',
  assigned: notNull('r.assigned'),
}

type Found = Omit<
  Run,
  keyof EffectCounts | keyof ReturnType<typeof ratesOf> | 'done' | 'excluded' | 'withoutCoupon'
> & {
  excluded: Record<string, number> | null
  effect: StoredEffect
  total: number
  now: string
}

export async function findRuns(db: Db, input: InputOf<typeof api.listRuns>): Promise<Page<Run>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const { all, add } = filterClauses()
  add(input.nodeId, (id) => sql`r.node_id = ${id}`)
  add(input.segment, (segment) => sql`n.segment = ${segment}`)
  add(input.state, (state) => sql`r.state = ${state}`)
  add(input.timeFrom, (day) => sinceDay('r.started_at', day))
  add(input.timeTo, (day) => untilDay('r.started_at', day))
  const { rows } = await sql<Found>`
    with page as materialized (
      select r.id, r.started_at, n.name, count(*) over ()::int as total
      from marketing_run r join marketing_node n on n.id = r.node_id where ${allOf(all)}
      order by ${sortOf(input.sort, RUN_SORTS, 'startTime:desc', 'r.id desc')}
      limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    )
    select r.id as "runId", r.node_id as "nodeId", n.name as "nodeName", n.segment, r.state,
      case when r.started_by is not null then r.started_by_name end as "startBy",
      ${isoTime('r.started_at')} as "startTime", ${isoTime('r.finished_at')} as "endTime",
      r.matched, r.taken, r.held_out as "heldOut", r.assigned, r.messages, r.excluded,
      r.coupons, e.effect, p.total, clock_timestamp() as now
    from page p join marketing_run r on r.id = p.id join marketing_node n on n.id = r.node_id
    ${EFFECT_JOIN}
    order by ${sortOf(input.sort, RUN_SORTS, 'startTime:desc', 'r.id desc')}`.execute(db)
  const [first] = rows
  return {
    rows: rows.map(runOf),
    total: first?.total ?? 0,
    asOf: first?.now ?? new Date().toISOString(),
  }
}

function runOf({ total: _total, now: _now, excluded, effect, ...run }: Found): Run {
  const { contactedCount, contactedReached, heldOutCount, heldOutReached } = effect
  return {
    ...run,
    done: effect.done,
    excluded: exclusionsOf(excluded ?? {}),
    withoutCoupon: COUPON_EXCLUSIONS.flatMap((why) => {
      const n = effect[why]
      return n === 0 ? [] : [{ why, n }]
    }),
    contactedCount,
    contactedReached,
    heldOutCount,
    heldOutReached,
    ...ratesOf(effect),
  }
}

const MESSAGE = sql`
  json_build_object('messageId', m.id::text, 'nodeId', m.node_id, 'nodeName', n.name,
    'userId', m.customer_id, 'way', m.message_way, 'template', 'promotion', 'state', m.message_state,
    'tries', m.message_tries, 'time', ${isoTime('m.message_at')})`

const MESSAGE_SORTS = {
  messageId: notNull('m.id'),
  time: notNull('m.message_at'),
}

export function findMessages(db: Db, input: InputOf<typeof api.listMessages>): Promise<JsonText> {
  const { all, add } = filterClauses()
  all.push(sql<boolean>`m.message_state is not null`)
  add(input.nodeId, (id) => sql`m.node_id = ${id}`)
  add(input.userId, (id) => sql`m.customer_id = ${id}`)
  add(input.way, (way) => sql`m.message_way = ${way}`)
  add(input.state, (state) => sql`m.message_state = ${state}`)
  add(input.timeFrom, (day) => sinceDay('m.message_at', day))
  add(input.timeTo, (day) => untilDay('m.message_at', day))
  return onePage(db, {
    from: 'marketing_contact m',
    where: allOf(all),
    order: sortOf(input.sort, MESSAGE_SORTS, 'time:desc', 'm.id desc'),
    row: MESSAGE,
    joins: sql`join marketing_node n on n.id = m.node_id`,
    input,
  })
}
