/**
 * The collection rules: parameters (`sys_config`) and each stage's own, read and saved as one
 * sheet.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { STAGE_CHANGED } from '#shared/collection/collection-live.ts'
import { ruleFaults } from '#shared/collection/rule-faults.ts'
import {
  CAPPED_ROLES,
  type collectionRules,
  type lastRulesSave,
  type saveCollectionRules,
} from '#shared/collection/rules-api.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { levelOf } from '#shared/repayments/reduction-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'

type Rules = DataOf<typeof collectionRules>

const INTS = [
  'maxContactsPerDay',
  'maxContactsPerWeek',
  'contactGapMinutes',
  'ptpMaxDays',
  'ptpMaxBroken',
  'topUpMinutes',
] as const
const CLOCKS = ['callFrom', 'callTo', 'stageRunTime', 'topUpUntil'] as const
const codeOf = (name: string): string => `collection.${name}`
const CODES = [...INTS, ...CLOCKS, 'allocationTimes'].map(codeOf)
const CAP_CODES = CAPPED_ROLES.map((mark) => levelOf(mark).cap)
/** Entity name of the sheet in the operate log. */
const TARGET = { targetKind: 'config', targetId: 'collection' } as const

export async function findRules(db: Db): Promise<Rules> {
  const { rows } = await sql<{
    figures: Record<string, string>
    figureVersions: number
    perStage: Rules['perStage']
    stageVersions: number
  }>`
    select f.figures, f.versions as "figureVersions", s.stages as "perStage", s.versions as "stageVersions"
    from (select jsonb_object_agg(c.code, c.value) as figures, sum(c.version)::int as versions
      from sys_config c where c.code = any(${[...CODES, ...CAP_CODES]}::text[])) f,
      (select jsonb_agg(jsonb_build_object('stageId', s.stage_id, 'mode', s.mode, 'keepCollector',
        s.keep_collector, 'recallAfterDays', s.recall_after_days, 'capacity', s.capacity, 'ptpMaxDays',
        s.ptp_max_days,
        'firstContactHours', s.first_contact_hours, 'dailyTarget', s.daily_target)
          order by s.min_days, s.stage_id) as stages, sum(s.version)::int as versions from stage s) s`.execute(
    db,
  )
  const { figures, figureVersions, perStage, stageVersions } = rows[0] as (typeof rows)[number]
  const figure = (code: string): string => {
    const value = figures[code]
    if (value === undefined) throw new TypeError(`parameter ${code} is missing`)
    return value
  }
  return {
    ...(Object.fromEntries(INTS.map((name) => [name, Number(figure(codeOf(name)))])) as Pick<
      Rules,
      (typeof INTS)[number]
    >),
    ...(Object.fromEntries(CLOCKS.map((name) => [name, figure(codeOf(name))])) as Pick<
      Rules,
      (typeof CLOCKS)[number]
    >),
    allocationTimes: figure('collection.allocationTimes')
      .split(',')
      .map((time) => time.trim())
      .filter((time) => time !== ''),
    perStage,
    caps: CAPPED_ROLES.map((role) => ({ role, percent: Number(figure(levelOf(role).cap)) })),
    // the version of each row only grows, so their sum shows any change
    version: figureVersions + stageVersions,
  }
}

/** Out of the operate log, which keeps every save with what it changed. */
export async function lastSave(db: Db): Promise<DataOf<typeof lastRulesSave>> {
  const { rows } = await sql<{ by: string; at: string }>`
    select coalesce(l.user_name, '') as by, ${isoTime('l.time')} as at from operate_log l
    where l.target_kind = ${TARGET.targetKind} and l.target_id = ${TARGET.targetId} and l.result = 'ok'
    order by l.id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * @throws Problem G409 with the current rules; G-FIELD for contradicting rules, or a stage or role
 * that is missing, unknown or duplicated
 */
export async function saveRules(
  tx: CommandTx,
  { version, ...rules }: InputOf<typeof saveCollectionRules>,
): Promise<Rules> {
  // one save at a time; a stage may be edited on its own screen meanwhile
  await sql`
    select from sys_config c where c.code = any(${[...CODES, ...CAP_CODES]}::text[]) order by c.code
      for update`.execute(tx.db)
  await sql`select from stage s order by s.stage_id for update`.execute(tx.db)
  const { version: current, ...before } = await findRules(tx.db)
  if (current !== version)
    throw await changedByOther(tx.db, TARGET.targetKind, TARGET.targetId, {
      ...before,
      version: current,
    })
  const fields: Record<string, string> = { ...ruleFaults(rules) }
  if (
    !isEach(
      rules.perStage.map((stage) => stage.stageId),
      before.perStage.map((stage) => stage.stageId),
    )
  )
    fields.perStage = 'collection:rules.fault.eachStage'
  if (
    !isEach(
      rules.caps.map((cap) => cap.role),
      CAPPED_ROLES,
    )
  )
    fields.caps = 'collection:rules.fault.eachRole'
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })

  const figures = [
    ...[...INTS, ...CLOCKS].map((name) => ({ code: codeOf(name), value: String(rules[name]) })),
    { code: 'collection.allocationTimes', value: rules.allocationTimes.toSorted().join(',') },
    ...rules.caps.map(({ role, percent }) => ({ code: levelOf(role).cap, value: String(percent) })),
  ]
  await sql`
    update sys_config c set value = f.value, version = c.version + 1, updated_at = clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(figures)}::jsonb) as f (code text, value text)
      where c.code = f.code and c.value <> f.value`.execute(tx.db)
  const { rows: stages } = await sql<{
    stageId: string
    allocationState: 'allocated' | 'allocating'
  }>`
    update stage s set mode = r.mode, keep_collector = r."keepCollector",
      recall_after_days = r."recallAfterDays", capacity = r.capacity, ptp_max_days = r."ptpMaxDays",
      first_contact_hours = r."firstContactHours", daily_target = r."dailyTarget",
      version = s.version + 1, updated_at = clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rules.perStage)}::jsonb) as r ("stageId" text, mode text,
      "keepCollector" boolean, "recallAfterDays" int, capacity int, "ptpMaxDays" int,
      "firstContactHours" int, "dailyTarget" bigint)
    where s.stage_id = r."stageId"
      and (s.mode, s.keep_collector, s.recall_after_days, s.capacity, s.ptp_max_days, s.first_contact_hours,
        s.daily_target) is distinct
        from (r.mode, r."keepCollector", r."recallAfterDays", r.capacity, r."ptpMaxDays",
        r."firstContactHours", r."dailyTarget")
    returning s.stage_id as "stageId", s.allocation_state as "allocationState"`.execute(tx.db)
  for (const stage of stages)
    tx.emit(STAGE_CHANGED, {
      subject: `stage:${stage.stageId}`,
      rooms: ['scope:all', 'menu:overdue_stage'],
      data: stage,
    })
  tx.emit(CONFIG_REFRESHED, {
    subject: 'config:collection',
    rooms: ['all'],
    data: { area: 'collection', ids: [] },
  })
  tx.log({ action: 'edit', ...TARGET, before, after: rules })
  return findRules(tx.db)
}

function isEach(given: readonly string[], each: readonly string[]): boolean {
  return (
    given.length === each.length &&
    new Set(given).size === each.length &&
    each.every((one) => given.includes(one))
  )
}
