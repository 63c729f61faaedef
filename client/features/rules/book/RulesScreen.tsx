/**
 * The rules of the machine review, the tables for limits and prices, the groups rules are judged in,
 * and what their hits do.
 */
import { filtersOf, named, reads, wordsOf, yesNo } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import { listRuleActions, listRuleGroups, listRules } from '#shared/rules/rule-api.ts'
import { RULE_STATES, RULE_TYPES } from '#shared/rules/rule-sets.ts'
import { listTables } from '#shared/rules/tables/table-api.ts'
import { RULE_CHANGED } from '#shared/rules/rules-live.ts'
import {
  addAction,
  addActionAction,
  addGroupAction,
  deleteAction,
  deleteActionAction,
  disableAction,
  editAction,
  editActionAction,
  editGroupAction,
  enableAction,
  openAction,
  tryAction,
  withdrawAction,
} from './rule-actions.tsx'
import { addTableAction, TABLE_ACTIONS } from '../tables/table-actions.tsx'
import { TABLE_COLUMNS } from '../tables/table-columns.ts'
import { groupName } from '../shipped-words.ts'
import { ACTION_COLUMNS, GROUP_COLUMNS, ruleColumns } from './rule-columns.ts'

const TEXTS = ['rules'] as const

const RuleList = listBody({
  endpoint: listRules,
  rowId: 'ruleId',
  texts: TEXTS,
  label: 'rule.tab.rules',
  columns: ruleColumns,
  filters: filtersOf({
    name: { kind: 'text', label: 'rule.col.name', place: 'quick' },
    status: {
      kind: 'one',
      label: 'rule.col.status',
      place: 'bar',
      options: wordsOf('rule.status', RULE_STATES),
    },
    type: {
      kind: 'one',
      label: 'rule.col.type',
      place: 'bar',
      options: wordsOf('rule.type', RULE_TYPES),
    },
    groupId: {
      kind: 'one',
      label: 'rule.col.group',
      options: ({ read, t }) =>
        named(
          read(listRuleGroups)?.rows.map(({ groupId: id, name }) => ({
            id,
            name: groupName(t, id, name),
          })),
        ),
    },
    ruleId: { kind: 'text', label: 'rule.col.ruleId' },
    refusalCode: { kind: 'text', label: 'rule.col.refusalCode' },
  }),
  reads: [reads(listRuleGroups, { pageSize: 100 }), reads(listRuleActions, { pageSize: 100 })],
  refreshOn: [RULE_CHANGED.type, APPROVAL_CHANGED.type],
  create: addAction,
  actions: [
    openAction,
    tryAction,
    editAction,
    enableAction,
    disableAction,
    withdrawAction,
    deleteAction,
  ],
  open: 'open',
  empty: 'rule.none',
})

const GroupList = listBody({
  endpoint: listRuleGroups,
  rowId: 'groupId',
  texts: TEXTS,
  id: 'rule_engine_groups',
  label: 'rule.tab.groups',
  columns: GROUP_COLUMNS,
  sort: 'order:asc',
  refreshOn: [RULE_CHANGED.type],
  create: addGroupAction,
  actions: [editGroupAction],
  open: 'edit',
  empty: 'rule.noGroups',
})

const ActionList = listBody({
  endpoint: listRuleActions,
  rowId: 'actionId',
  texts: TEXTS,
  id: 'rule_engine_actions',
  label: 'rule.tab.actions',
  columns: ACTION_COLUMNS,
  filters: filtersOf({
    name: { kind: 'text', label: 'rule.col.name', place: 'quick' },
    inUse: { kind: 'one', label: 'rule.col.inUse', place: 'bar', options: yesNo },
  }),
  sort: 'name:asc',
  refreshOn: [RULE_CHANGED.type],
  create: addActionAction,
  actions: [editActionAction, deleteActionAction],
  open: 'edit',
  empty: 'rule.noActions',
})

const TableList = listBody({
  endpoint: listTables,
  rowId: 'tableId',
  texts: ['rules', 'conditions'],
  id: 'rule_engine_tables',
  label: 'rule.tab.tables',
  columns: TABLE_COLUMNS,
  filters: filtersOf({
    name: { kind: 'text', label: 'rule.col.name', place: 'quick' },
    status: {
      kind: 'one',
      label: 'rule.col.status',
      place: 'bar',
      options: wordsOf('rule.status', RULE_STATES),
    },
  }),
  sort: 'order:asc',
  refreshOn: [RULE_CHANGED.type, APPROVAL_CHANGED.type],
  create: addTableAction,
  actions: TABLE_ACTIONS,
  open: 'open',
  empty: 'table.none',
})

export const Screen = tabbedScreen({
  texts: TEXTS,
  menu: 'rule_engine',
  title: 'rule.tab',
  tabs: { rules: RuleList, tables: TableList, groups: GroupList, actions: ActionList },
})
