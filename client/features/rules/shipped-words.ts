/** Names and values that come with the product, translated until somebody renames the row. */
import type { Text } from '#client/base/use-text.ts'
import { TELE_DEMAND } from '#shared/rules/rule-sets.ts'
import {
  SHIPPED_ACTIONS,
  SHIPPED_GROUPS,
  SHIPPED_RULES,
  SHIPPED_TABLES,
} from '#shared/rules/shipped-names.ts'

export function ruleName(t: Text, ruleId: string, name: string): string {
  return SHIPPED_RULES[ruleId] === name ? t(`rules:shipped.rule.${ruleId}`) : name
}

export function tableName(t: Text, tableId: string, name: string): string {
  return SHIPPED_TABLES[tableId] === name ? t(`rules:shipped.table.${tableId}`) : name
}

export function groupName(t: Text, groupId: string, name: string): string {
  return SHIPPED_GROUPS[groupId] === name ? t(`rules:shipped.group.${groupId}`) : name
}

export function actionName(t: Text, actionId: string, name: string): string {
  return SHIPPED_ACTIONS[actionId]?.name === name ? t(`rules:shipped.action.${actionId}`) : name
}

/** What an action does, in a sentence. */
export function actionMeaning(t: Text, actionId: string, description: string): string {
  return SHIPPED_ACTIONS[actionId]?.description === description
    ? t(`rules:shipped.meaning.${actionId}`)
    : description
}

/** The output of a rule; an author's own text stays as it is. */
export function ruleOutput(t: Text, output: string): string {
  return output === TELE_DEMAND ? t('rules:rule.output.teleVerify') : output
}
