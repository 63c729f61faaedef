/**
 * What a book needs before anybody works in it: parameters, collection stages, dictionaries, the
 * rule set and a lender. Every start adds what is missing; what an administrator changed or deleted
 * stays as they left it.
 */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'
import { migrate } from '#gateway/manage/db/migrate.ts'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'
import dictionaries from './dictionaries.json' with { type: 'json' }
import parameters from './parameters.json' with { type: 'json' }
import ruleSet from './rule-set.json' with { type: 'json' }
import stages from './stages.json' with { type: 'json' }

export const FOUNDATION = { dictionaries, parameters, ruleSet, stages }

/** Brings the schema up to date and writes what is missing of the foundation. */
export async function prepareDatabase(database: Database): Promise<void> {
  await migrate(database)
  await inTransaction(database, async (trx) => {
    await writeParameters(trx)
    await writeStages(trx)
    await writeDictionaries(trx)
    await writeRuleSet(trx)
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

async function writeRuleSet(trx: Trx): Promise<void> {
  await sql`
    insert into rule_set (version_no, name, state, content)
    select 1, 'Standard', 'enabled', ${JSON.stringify(ruleSet)}::jsonb
    where not exists (select from rule_set)
    on conflict do nothing`.execute(trx)
}

/** A product is lent in somebody's name from the start. */
async function writeLender(trx: Trx): Promise<void> {
  await sql`
    insert into merchant (id, name)
    select 'MC001', 'Own book'
    where not exists (select from merchant)
    on conflict do nothing`.execute(trx)
}
