import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { Page } from '#shared/kernel/page.ts'
import type { listRules } from '#shared/rules/rule-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { filterClauses, notNull } from '#gateway/manage/kernel/list-parts.ts'
import { findRows } from '../versions/version-store.ts'
import { RULE, type RuleRow } from './rule-kind.ts'

const SORTS = {
  order: notNull('g.sort, g.id, v.priority'),
  ruleId: notNull('d.id'),
  type: notNull('v.type'),
  priority: notNull('v.priority'),
  refusalCode: 'v.refusal_code',
}

export function findRules(db: Db, input: InputOf<typeof listRules>): Promise<Page<RuleRow>> {
  const { all, add } = filterClauses()
  add(input.ruleId, (id) => sql`d.id = ${id}`)
  add(input.name, (name) => sql`strpos(lower(v.name), lower(${name}::text)) > 0`)
  add(input.type, (type) => sql`v.type = ${type}`)
  add(input.groupId, (id) => sql`v.group_id = ${id}`)
  add(input.status, (status) => sql`d.status = ${status}`)
  add(input.refusalCode, (code) => sql`v.refusal_code = ${code}`)
  return findRows(db, RULE, input, { where: all, sorts: SORTS })
}
