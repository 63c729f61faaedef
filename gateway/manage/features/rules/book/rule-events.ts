import { RULE_CHANGED } from '#shared/rules/rules-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { RuleRow } from './rule-store.ts'

const rooms = ['menu:rule_engine']

export function emitRule(
  tx: CommandTx,
  {
    ruleId,
    version,
    versionNo,
    status,
  }: Pick<RuleRow, 'ruleId' | 'version' | 'versionNo'> & { status: string },
): void {
  tx.emit(RULE_CHANGED, {
    subject: `rule:${ruleId}`,
    version,
    rooms,
    data: { ruleId, versionNo, status },
  })
}

/** A group or an action: every rule may read otherwise now. */
export function emitRulePart(tx: CommandTx, kind: 'ruleGroup' | 'ruleAction', id: string): void {
  tx.emit(RULE_CHANGED, {
    subject: `${kind}:${id}`,
    rooms,
    data: { ruleId: null, versionNo: null, status: null },
  })
}
