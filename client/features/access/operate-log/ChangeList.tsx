/** Changes of parameters, rules and configurations; each can be undone by a new one. */
import type { ReactNode } from 'react'
import { panelAction } from '#client/screen/list/list-actions.ts'
import type { ListAction } from '#client/screen/list/list-types.ts'
import { OtherPage, permittedOn } from '#client/session/other-page.tsx'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { ParameterChange } from '#client/features/system/public.tsx'
import { RuleChange, TableChange } from '#client/features/rules/public.tsx'
import { RulesChange } from '#client/features/collection/public.tsx'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import { statusColumn, textColumn, timeColumn } from '#client/ui/grid/grid-columns.ts'
import type { Text } from '#client/base/use-text.ts'
import { ruleName, tableName } from '#client/features/rules/public.ts'
import { CHANGE_KINDS, type ChangeKind, listChanges } from '#shared/access/changes-api.ts'
import { saveCollectionRules } from '#shared/collection/rules-api.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { editRule } from '#shared/rules/rule-api.ts'
import { RULE_CHANGED } from '#shared/rules/rules-live.ts'
import { editTable } from '#shared/rules/tables/table-api.ts'
import { updateConfig } from '#shared/system/config-api.ts'
import { actionWord } from '../action-word.ts'
import {
  type Change,
  changeText,
  isCollectionRules,
  valueBefore,
  versionBefore,
} from './change-words.ts'
import { ChangeDrawer } from './ChangeDrawer.tsx'

const title = (name: string) => `access:changes.col.${name}`

const COLUMNS: readonly GridColumn<Change>[] = [
  timeColumn<Change>({ id: 'time', title: title('time'), width: 165, sort: 'time', pin: 'left' }),
  statusColumn<Change>({
    id: 'kind',
    title: title('kind'),
    width: 160,
    word: (kind, { t }) => t(`access:changes.kind.${kind}`),
    tone: () => 'neutral',
  }),
  textColumn<Change>({
    id: 'name',
    title: title('what'),
    width: 230,
    text: (row, { t }) => whatOf(row, t),
    tip: (row, { t }) => whatOf(row, t),
  }),
  textColumn<Change>({
    id: 'action',
    title: title('action'),
    width: 150,
    text: (row, { t }) => actionWord(t, row.action),
  }),
  textColumn<Change>({
    id: 'change',
    title: title('change'),
    width: 300,
    value: (row) => row.logId,
    text: (row, { t }) => changeText(row, t),
    tip: (row, { t }) => changeText(row, t),
  }),
  textColumn<Change>({ id: 'by', title: title('by'), width: 150 }),
  textColumn<Change>({ id: 'approvedBy', title: title('approvedBy'), width: 150 }),
]

function whatOf(row: Change, t: Text): string {
  if (isCollectionRules(row)) return t('access:changes.collection')
  const { targetId, name, kind } = row
  const known = targetId !== null && name !== null && NAMES[kind]?.(t, targetId, name)
  return [targetId, known || name].filter(Boolean).join(' · ')
}

/** Kinds with names that come with the product and are translated. */
const NAMES: Partial<Record<ChangeKind, (t: Text, id: string, name: string) => string>> = {
  rule: ruleName,
  decisionTable: tableName,
}

const look = panelAction<Change>({
  id: 'open',
  text: 'changes.open',
  icon: 'comparison',
  isBeside: true,
  panel: (change, { t, close }) => (
    <ChangeDrawer change={change} title={whatOf(change, t)} onClose={close} />
  ),
})

/**
 * Opens the editor of the page where such a change is made, with what was there before. It is saved,
 * and approved, as any other change.
 */
function undoAction(
  id: string,
  endpoint: Endpoint & { menu?: string },
  isOf: (change: Change) => boolean,
  form: (change: Change, end: { onDone: () => void; onClose: () => void }) => ReactNode,
): ListAction<Change> {
  const menu = endpoint.menu ?? ''
  return panelAction<Change>({
    id,
    text: 'changes.undo',
    icon: 'undo',
    when: (change) => isOf(change) && permittedOn(menu, endpoint),
    panel: (change, { done, close }) => (
      <OtherPage menu={menu}>{form(change, { onDone: done, onClose: close })}</OtherPage>
    ),
  })
}

const undoParameter = undoAction(
  'undoParameter',
  updateConfig,
  (change) => valueBefore(change) !== null,
  (change, end) => {
    const before = valueBefore(change)
    return before && <ParameterChange {...before} {...end} />
  },
)

const undoRule = undoAction(
  'undoRule',
  editRule,
  (change) => change.kind === 'rule' && versionBefore(change) !== null,
  (change, end) => (
    <RuleChange id={change.targetId ?? ''} fromVersion={versionBefore(change) ?? 1} {...end} />
  ),
)

const undoTable = undoAction(
  'undoTable',
  editTable,
  (change) => change.kind === 'decisionTable' && versionBefore(change) !== null,
  (change, end) => (
    <TableChange id={change.targetId ?? ''} fromVersion={versionBefore(change) ?? 1} {...end} />
  ),
)

const undoCollection = undoAction(
  'undoCollection',
  saveCollectionRules,
  (change) => isCollectionRules(change) && change.before !== null,
  // the log keeps the sheet as it was saved
  (change, end) => <RulesChange before={change.before as object} {...end} />,
)

export const ChangeList = listBody({
  endpoint: listChanges,
  rowId: 'logId',
  texts: ['access', 'notifications', 'collection', 'rules'],
  id: 'operate_record_changes',
  label: 'operateLog.tab.changes',
  columns: COLUMNS,
  filters: filtersOf({
    what: { kind: 'text', label: 'changes.col.what', place: 'quick' },
    kind: {
      kind: 'one',
      label: 'changes.col.kind',
      place: 'bar',
      options: wordsOf('changes.kind', CHANGE_KINDS),
    },
    time: { kind: 'day', label: 'operateLog.period', place: 'bar' },
    by: { kind: 'text', label: 'changes.col.by' },
  }),
  sort: 'time:desc',
  refreshOn: [CONFIG_REFRESHED.type, RULE_CHANGED.type],
  actions: [look, undoParameter, undoRule, undoTable, undoCollection],
  open: 'open',
  empty: 'changes.none',
})
