/**
 * What a book needs before anybody works in it: parameters, collection stages, dictionaries, the
 * rules and a lender. Every start adds what is missing; what an administrator changed or deleted
 * stays as they left it.
 */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'
import { migrate } from '#gateway/manage/db/migrate.ts'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'
import decisionTables from './decision-tables.json' with { type: 'json' }
import dictionaries from './dictionaries.json' with { type: 'json' }
import parameters from './parameters.json' with { type: 'json' }
import rules from './rules.json' with { type: 'json' }
import stages from './stages.json' with { type: 'json' }
import {
  SHIPPED_ACTIONS,
  SHIPPED_GROUPS,
  SHIPPED_RULES,
  SHIPPED_TABLES,
} from '#shared/rules/shipped-names.ts'

/** The standard rules; their English names are shared, as screens translate them. */
const namedRules = {
  actions: rules.actions.map((action) => ({ ...action, ...SHIPPED_ACTIONS[action.id] })),
  groups: rules.groups.map((group) => ({ ...group, name: SHIPPED_GROUPS[group.id] })),
  rules: rules.rules.map((rule) => ({ ...rule, name: SHIPPED_RULES[rule.id] })),
}

const tables = decisionTables.map((table) => ({ ...table, name: SHIPPED_TABLES[table.id] }))

export const FOUNDATION = { dictionaries, parameters, tables, rules: namedRules, stages }

/** Brings the schema up to date and writes what is missing of the foundation. */
export async function prepareDatabase(database: Database): Promise<void> {
  await migrate(database)
  await inTransaction(database, async (trx) => {
    await writeParameters(trx)
    await writeStages(trx)
    await writeDictionaries(trx)
    await writeTables(trx)
    await writeRules(trx)
    await writeLender(trx)
  })
}

/** A parameter cannot be deleted, so each start may add those that are new. */
async function writeParameters(trx: Trx): Promise<void> {
  await sql`
    insert into sys_config (id, number, code, name, value, value_type, built_in, public)
    select d.number, d.number, d.code, d.name, d.value, d.type, true, d.public
    from jsonb_to_recordset(${JSON.stringify(parameters)}::jsonb)
      as d (number text, code text, name text, value text, type text, public boolean)
    on conflict do nothing`.execute(trx)
}

async function writeStages(trx: Trx): Promise<void> {
  await sql`
    insert into stage (stage_id, name, min_days, max_days, recall_after_days, capacity, ptp_max_days,
      first_contact_hours)
    select d.id, d.id, d."minDays", d."maxDays", d."recallAfterDays", d.capacity, d."ptpMaxDays",
      d."firstContactHours"
    from jsonb_to_recordset(${JSON.stringify(stages)}::jsonb)
      as d (id text, "minDays" int, "maxDays" int, "recallAfterDays" int, capacity int,
        "ptpMaxDays" int, "firstContactHours" int)
    where not exists (select from stage)
    on conflict do nothing`.execute(trx)
}

/** A dictionary brings its entries once, with itself: an entry that was deleted stays deleted. */
async function writeDictionaries(trx: Trx): Promise<void> {
  await sql`
    with given as (
      select d.*
      from jsonb_to_recordset(${JSON.stringify(dictionaries)}::jsonb)
        as d (code text, name text, sort int, entries jsonb)
    ), fresh as (
      insert into sys_dict (type_name, code, sort, built_in)
      select g.name, g.code, g.sort, true from given g order by g.sort
      on conflict (code) do nothing
      returning id, code
    )
    insert into sys_dict_detail (dict_id, code, labels, sort)
    select f.id, e.entry ->> 'code', e.entry -> 'labels', e.n
    from fresh f
    join given g on g.code = f.code
    cross join jsonb_array_elements(g.entries) with ordinality as e (entry, n)
    order by g.sort, e.n`.execute(trx)
}

/** The table that gives the limit, in force as version 1; once. */
async function writeTables(trx: Trx): Promise<void> {
  await sql`
    with given as (
      select d.*
      from jsonb_to_recordset(${JSON.stringify(tables)}::jsonb)
        as d (id text, name text, sort int, content jsonb)
      where not exists (select from decision_table)
    ), added as (
      insert into decision_table (id, status, enabled_no)
      select g.id, 'enabled', 1 from given g on conflict do nothing returning id
    )
    insert into decision_table_version (table_id, version_no, name, sort, content, state, enabled_at)
    select g.id, 1, g.name, g.sort, g.content, 'enabled', clock_timestamp()
    from given g join added a on a.id = g.id`.execute(trx)
}

/** The standard rules with their groups and actions, in force as version 1; once. */
async function writeRules(trx: Trx): Promise<void> {
  const given = JSON.stringify(namedRules)
  const { rows } = await sql`select 1 from rule_action limit 1`.execute(trx)
  if (rows.length > 0) return
  await sql`
    insert into rule_action (id, name, description, kind)
    select d.id, d.name, d.description, d.kind
    from jsonb_to_recordset(${given}::jsonb -> 'actions')
      as d (id text, name text, description text, kind text)
    on conflict do nothing`.execute(trx)
  await sql`
    insert into rule_group (id, name, mode, sort)
    select d.id, d.name, d.mode, d.sort
    from jsonb_to_recordset(${given}::jsonb -> 'groups') as d (id text, name text, mode text, sort int)
    on conflict do nothing`.execute(trx)
  await sql`
    with given as (
      select d.*
      from jsonb_to_recordset(${given}::jsonb -> 'rules') as d (id text, name text, type text,
        "groupId" text, priority int, "actionId" text, output text, "refusalCode" text, content jsonb)
    ), added as (
      insert into rule (id, status, enabled_no)
      select g.id, 'enabled', 1 from given g on conflict do nothing returning id
    )
    insert into rule_version (rule_id, version_no, name, type, group_id, priority, mode, content,
      action_id, output, refusal_code, state, enabled_at)
    select g.id, 1, g.name, g.type, g."groupId", g.priority, 'parallel', g.content, g."actionId",
      g.output, g."refusalCode", 'enabled', clock_timestamp()
    from given g join added a on a.id = g.id`.execute(trx)
}

/** A product is lent in somebody's name from the start. */
async function writeLender(trx: Trx): Promise<void> {
  await sql`
    insert into merchant (id, name)
    select 'MC001', 'Own book'
    where not exists (select from merchant)
    on conflict do nothing`.execute(trx)
}
