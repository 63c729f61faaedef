/** Columns of rules, their groups and their actions. */
import type { Text } from '#client/base/use-text.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import { approvalColumn } from '#client/screen/waiting-approval.ts'
import type { ActionKind, RuleStatus } from '#shared/rules/rule-sets.ts'
import { actionMeaning, actionName, groupName, ruleName, ruleOutput } from '../shipped-words.ts'
import type { Rule, RuleAction, RuleGroup } from './rule-types.ts'

const title = (name: string) => `rules:rule.col.${name}`

export const STATUS_TONES = {
  draft: 'neutral',
  enabled: 'good',
  disabled: 'warn',
} satisfies Record<RuleStatus, Tone>

const KIND_TONES = {
  reject: 'bad',
  manual: 'warn',
  pass: 'neutral',
  setOutput: 'info',
} satisfies Record<ActionKind, Tone>

/** A text column whose words are built from the row. */
const wordsColumn = <Row>(
  { id, width, sort }: { id: string; width: number; sort?: string },
  sentence: (row: Row, t: Text) => string,
  titleOf = title(id),
): GridColumn<Row> =>
  textColumn<Row>({
    id,
    title: titleOf,
    width,
    ...(sort && { sort }),
    text: (row, { t }) => sentence(row, t),
    tip: (row, { t }) => sentence(row, t),
  })

export const ruleColumns = ({ t: text }: { t: Text }): readonly GridColumn<Rule>[] => [
  idColumn<Rule>({ id: 'ruleId', title: title('ruleId'), width: 100, sort: 'ruleId', pin: 'left' }),
  wordsColumn<Rule>({ id: 'name', width: 330, sort: 'name' }, (row, t) =>
    ruleName(t, row.ruleId, row.name),
  ),
  statusColumn<Rule>({
    id: 'status',
    title: title('status'),
    width: 105,
    sort: 'status',
    word: (status, { t }) => t(`rules:rule.status.${status}`),
    tone: (status) => STATUS_TONES[status as RuleStatus],
  }),
  wordsColumn<Rule>(
    { id: 'groupName', width: 170 },
    (row, t) => groupName(t, row.groupId, row.groupName),
    title('group'),
  ),
  integerColumn<Rule>({ id: 'priority', title: title('priority'), width: 90, sort: 'priority' }),
  statusColumn<Rule>({
    id: 'actionKind',
    title: title('kind'),
    width: 203,
    word: (kind, { t }) => t(`rules:rule.kind.${kind}`),
    tone: (kind) => KIND_TONES[kind as ActionKind],
  }),
  textColumn<Rule>({
    id: 'refusalCode',
    title: title('refusalCode'),
    width: 120,
    sort: 'refusalCode',
  }),
  integerColumn<Rule>({ id: 'hitCount7d', title: title('hitCount7d'), width: 115 }),
  integerColumn<Rule>({ id: 'openCount7d', title: title('openCount7d'), width: 185 }),
  textColumn<Rule>({
    id: 'versionNo',
    title: title('versionNo'),
    width: 165,
    value: ({ versionNo, hasDraft, latestNo }) =>
      hasDraft ? text('rules:rule.hasDraft', { n: versionNo, draft: latestNo }) : `v${versionNo}`,
  }),
  wordColumn<Rule>({
    id: 'type',
    title: title('type'),
    width: 115,
    sort: 'type',
    word: (type, { t }) => t(`rules:rule.type.${type}`),
  }),
  wordColumn<Rule>({
    id: 'mode',
    title: title('mode'),
    width: 140,
    word: (mode, { t }) => t(`rules:rule.mode.${mode}`),
  }),
  wordsColumn<Rule>(
    { id: 'actionName', width: 160 },
    (row, t) => actionName(t, row.actionId, row.actionName),
    title('action'),
  ),
  wordsColumn<Rule>({ id: 'output', width: 150 }, ({ output }, t) => ruleOutput(t, output ?? '')),
  integerColumn<Rule>({ id: 'caseCount', title: title('caseCount'), width: 105 }),
  approvalColumn<Rule>(),
  textColumn<Rule>({ id: 'description', title: title('description'), width: 240 }),
  textColumn<Rule>({ id: 'updateBy', title: title('updateBy'), width: 140 }),
  timeColumn<Rule>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 165,
    sort: 'updateTime',
  }),
]

export const GROUP_COLUMNS: readonly GridColumn<RuleGroup>[] = [
  integerColumn<RuleGroup>({ id: 'order', title: title('order'), width: 90, sort: 'order' }),
  wordsColumn<RuleGroup>({ id: 'name', width: 260, sort: 'name' }, (row, t) =>
    groupName(t, row.groupId, row.name),
  ),
  wordColumn<RuleGroup>({
    id: 'mode',
    title: title('mode'),
    width: 160,
    word: (mode, { t }) => t(`rules:rule.mode.${mode}`),
  }),
  integerColumn<RuleGroup>({ id: 'ruleCount', title: title('ruleCount'), width: 105 }),
  integerColumn<RuleGroup>({ id: 'enabledCount', title: title('enabledCount'), width: 105 }),
  idColumn<RuleGroup>({ id: 'groupId', title: title('groupId'), width: 130 }),
  timeColumn<RuleGroup>({ id: 'updateTime', title: title('updateTime'), width: 165 }),
]

export const ACTION_COLUMNS: readonly GridColumn<RuleAction>[] = [
  idColumn<RuleAction>({ id: 'actionId', title: title('actionId'), width: 120, sort: 'actionId' }),
  wordsColumn<RuleAction>({ id: 'name', width: 220, sort: 'name' }, (row, t) =>
    actionName(t, row.actionId, row.name),
  ),
  statusColumn<RuleAction>({
    id: 'kind',
    title: title('kind'),
    width: 160,
    sort: 'kind',
    word: (kind, { t }) => t(`rules:rule.kind.${kind}`),
    tone: (kind) => KIND_TONES[kind as ActionKind],
  }),
  wordsColumn<RuleAction>({ id: 'description', width: 380 }, (row, t) =>
    actionMeaning(t, row.actionId, row.description),
  ),
  yesNoColumn<RuleAction>({ id: 'inUse', title: title('inUse'), width: 100 }),
  timeColumn<RuleAction>({ id: 'updateTime', title: title('updateTime'), width: 165 }),
]
