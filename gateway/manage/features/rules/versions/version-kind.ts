/**
 * What is kept in versions, of which at most one is in force: a rule of the review and a decision
 * table. They are saved, tested, approved and disabled in the same way.
 */
import type { RawBuilder } from 'kysely'
import type { Static } from 'typebox'
import type { PendingApprovalRow } from '#shared/approvals/pending-approval.ts'
import type { Catalogue } from '#shared/conditions/catalogue.ts'
import type { Facts } from '#shared/conditions/evaluate-condition.ts'
import type { RuleOutcome, RuleStatus, VersionState } from '#shared/rules/rule-sets.ts'
import type { RULE_CHANGED } from '#shared/rules/rules-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { StoredGraph } from '../engine/rule-graph.ts'

/** The parts of a row that do not depend on what is kept. */
export interface Head {
  versionNo: number
  name: string
  status: RuleStatus
  latestNo: number
  caseCount: number
  approval: PendingApprovalRow | null
  version: number
}

export interface HeadVersion {
  versionNo: number
  name: string
  state: VersionState
}

/** How it is stored. */
export interface StoredKind<Row extends Head, Version extends HeadVersion> {
  targetKind: 'rule' | 'decisionTable'
  approvalKind: 'ruleEnable' | 'tableEnable'
  /** Names in SQL: the table, the one of its versions, and the column by which others name it. */
  table: 'rule' | 'decision_table'
  versions: 'rule_version' | 'decision_table_version'
  key: 'rule_id' | 'table_id'
  /** Columns of a version `v`, and of a row `d` beside those that all have. */
  columns: RawBuilder<unknown>
  shown: RawBuilder<unknown>
  /** What those columns come from beside `d` and `v`. */
  joins: RawBuilder<unknown>
  /** @throws RuleSetInvalid when the graph is not what it should be */
  contentOf(stored: { content: StoredGraph; name: string }): Partial<Version>
  idOf(row: Row): string
  eventOf(row: EventRow, id: string): Static<typeof RULE_CHANGED.data>
}

export interface EventRow {
  version: number
  versionNo: number
  status: string
}

export interface VersionKind<
  Row extends Head,
  Version extends HeadVersion,
  Fields extends { name: string },
> extends StoredKind<Row, Version> {
  /** Second number of the advisory lock under which names are compared. */
  nameLock: number
  actions: Record<'add' | 'edit' | 'delete' | 'ask' | 'enable' | 'disable', string>
  /** @throws Problem naming what is wrong with it */
  requireValid(tx: CommandTx, fields: Fields): Promise<void>
  insertVersion(tx: CommandTx, id: string, versionNo: number, fields: Fields): Promise<unknown>
  /** What test cases may name. */
  catalogue: Catalogue
  /** Evaluates a version on the facts of a test case. */
  outcomeOf(version: Version, facts: Facts): CaseOutcome
  /** Whether applications name it although it was never in force. */
  hasJudged?(tx: CommandTx, id: string): Promise<boolean>
  /** @param version that comes into force; null: none of it will be @throws Problem */
  requireOthers?(tx: CommandTx, id: string, version: Version | null): Promise<void>
  /** Another version is in force now, or none. */
  whenChanged?(tx: CommandTx, id: string): Promise<void>
}

export interface CaseOutcome {
  outcome: RuleOutcome
  /** Of a table: what the row gives. */
  got: Record<string, number> | null
}

/** Of either kind, where its content does not matter. */
export type AnyKind = VersionKind<Head, HeadVersion, { name: string }>
