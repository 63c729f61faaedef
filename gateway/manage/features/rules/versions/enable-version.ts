/**
 * A version comes into force when a second person approves it; then it judges the next application.
 * What is in force is disabled at once, because what does harm cannot wait.
 */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { ruleLifecycle } from '#shared/rules/rule-lifecycle.ts'
import { RULE_CASES_FAIL } from '#shared/rules/rule-problems.ts'
import { requestApproval } from '#gateway/manage/features/approvals/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockUnchanged } from './save-version.ts'
import { failingCases } from './version-cases.ts'
import type { AnyKind, Head } from './version-kind.ts'
import { emitRow, readRow, readVersion } from './version-store.ts'

/** How enabling is asked for, of every kind. */
export const ENABLING = {
  menu: 'rule_engine',
  route: '/home_page?tab=decide',
  approveCode: 'rule_engine:approve',
} as const

interface RequestedVersion {
  id: string
  version: number
  status: 'enabled' | 'disabled'
  versionNo?: number
  reason: string
}

/**
 * @returns the request of a version that is to be enabled, null after disabling
 * @throws Problem G404, G409, X-CASE while a test case fails, A-OPEN, and what the kind refuses
 * @throws IllegalTransition
 */
export async function setStatus(
  tx: CommandTx,
  kind: AnyKind,
  { id, version, status, versionNo, reason }: RequestedVersion,
): Promise<string | null> {
  const row = await lockUnchanged(tx, kind, { id, version })
  if (status === 'enabled')
    return requestVersion(tx, kind, row, {
      versionNo: versionNo ?? row.latestNo,
      percent: null,
      reason,
    })
  ruleLifecycle.next(row.status, { type: 'DISABLE' })
  await kind.requireOthers?.(tx, id, null)
  await retire(tx, kind, id)
  await changed(tx, kind, row, { status: 'disabled', versionNo: null, reason })
  return null
}

/**
 * @param asked percent of the applications; null: the version comes into force
 * @returns the request @throws Problem X-CASE, A-OPEN @throws IllegalTransition
 */
export async function requestVersion(
  tx: CommandTx,
  kind: AnyKind,
  row: Head,
  { versionNo, percent, reason }: { versionNo: number; percent: number | null; reason: string },
): Promise<string> {
  const id = kind.idOf(row)
  await requireEnabling(tx, kind, row, versionNo)
  const approval = await requestApproval(
    tx,
    { kind: kind.approvalKind, ...ENABLING },
    {
      targetKind: kind.targetKind,
      targetId: id,
      payload: percent === null ? { versionNo } : { versionNo, percent },
      amount: 0,
      count: 1,
      reason,
    },
  )
  emitRow(tx, kind, id, row)
  tx.log({
    action: percent === null ? kind.actions.ask : 'startTrial',
    targetKind: kind.targetKind,
    targetId: id,
    after: { versionNo, percent, reason, approvalId: approval.id },
  })
  return approval.id
}

/** @throws Problem G404, X-CASE, and what the kind refuses @throws IllegalTransition if in force */
export async function requireEnabling(
  tx: CommandTx,
  kind: AnyKind,
  row: Head,
  versionNo: number,
): Promise<void> {
  const id = kind.idOf(row)
  const version = await readVersion(tx.db, kind, id, versionNo)
  const cases = await failingCases(tx.db, kind, id, version)
  if (cases.length > 0)
    throw new Problem(
      RULE_CASES_FAIL,
      { n: cases.length },
      { cases: cases.map(({ name }) => name) },
    )
  ruleLifecycle.next(row.status, {
    type: 'ENABLE',
    casesPass: true,
    isInForce: version.state === 'enabled',
  })
  await kind.requireOthers?.(tx, id, version)
}

/** What a second person approved; the caller checked it again. */
export async function bringIntoForce(
  tx: CommandTx,
  kind: AnyKind,
  row: Head,
  versionNo: number,
): Promise<void> {
  const id = kind.idOf(row)
  await retire(tx, kind, id)
  await sql`
    update ${sql.ref(kind.versions)} set state = 'enabled', enabled_at = clock_timestamp(),
      enabled_by_name = ${tx.actor.userName}
    where ${sql.ref(kind.key)} = ${id} and version_no = ${versionNo}`.execute(tx.db)
  await changed(tx, kind, row, { status: 'enabled', versionNo, reason: null })
}

function retire(
  tx: CommandTx,
  { versions, key }: Pick<AnyKind, 'versions' | 'key'>,
  id: string,
): Promise<unknown> {
  return sql`
    update ${sql.ref(versions)} set state = 'retired'
    where ${sql.ref(key)} = ${id} and state = 'enabled'`.execute(tx.db)
}

async function changed(
  tx: CommandTx,
  kind: AnyKind,
  before: Head,
  is: { status: 'enabled' | 'disabled'; versionNo: number | null; reason: string | null },
): Promise<void> {
  const id = kind.idOf(before)
  await kind.whenChanged?.(tx, id)
  await sql`
    update ${sql.ref(kind.table)} set status = ${is.status}, enabled_no = ${is.versionNo}::int,
      version = version + 1, updated_by_name = ${tx.actor.userName}, updated_at = clock_timestamp()
    where id = ${id}`.execute(tx.db)
  const after = await readRow(tx.db, kind, id)
  emitRow(tx, kind, id, after)
  tx.log({
    action: is.status === 'enabled' ? kind.actions.enable : kind.actions.disable,
    targetKind: kind.targetKind,
    targetId: id,
    before,
    after: is.reason === null ? after : { ...after, reason: is.reason },
  })
}
