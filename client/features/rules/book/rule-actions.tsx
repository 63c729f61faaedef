/** What can be done with rules, groups and actions. */
import type { ReactNode } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { callAction, panelAction } from '#client/screen/list/list-actions.ts'
import type { PanelTools } from '#client/screen/list/list-types.ts'
import { alreadyRequested } from '#client/screen/waiting-approval.ts'
import {
  addRule,
  addRuleAction,
  deleteRule,
  deleteRuleAction,
  editRule,
  editRuleAction,
  listRuleActions,
  listRuleGroups,
  saveRuleGroup,
  setRuleStatus,
} from '#shared/rules/rule-api.ts'
import { ruleLifecycle } from '#shared/rules/rule-lifecycle.ts'
import { actionName, ruleName } from '../shipped-words.ts'
import type { Rule, RuleAction, RuleGroup } from './rule-types.ts'

export { withdrawAction } from '#client/features/approvals/public.tsx'

// they load the form library and the editor, which the list itself does not need
const RuleForm = lazyPart(() => import('./RuleForm.tsx').then((m) => ({ default: m.RuleForm })))
const RuleDrawer = lazyPart(() =>
  import('./RuleDrawer.tsx').then((m) => ({ default: m.RuleDrawer })),
)
const TrialDrawer = lazyPart(() =>
  import('../trials/TrialDrawer.tsx').then((m) => ({ default: m.TrialDrawer })),
)
const GroupForm = lazyPart(() => import('./GroupForm.tsx').then((m) => ({ default: m.GroupForm })))
const ActionForm = lazyPart(() =>
  import('./ActionForm.tsx').then((m) => ({ default: m.ActionForm })),
)

const REASON = { min: 4, max: 200 }

function ruleForm(rule: Rule | null, { read, done, close }: PanelTools): ReactNode {
  return (
    <RuleForm
      rule={rule}
      groups={read(listRuleGroups)?.rows ?? []}
      actions={read(listRuleActions)?.rows ?? []}
      onDone={done}
      onClose={close}
    />
  )
}

export const addAction = panelAction<null>({
  id: 'add',
  endpoint: addRule,
  text: 'rule.add',
  panel: ruleForm,
})

export const openAction = panelAction<Rule>({
  id: 'open',
  text: 'rule.open',
  icon: 'history',
  panel: (rule, { may, close }) => <RuleDrawer rule={rule} may={may} onClose={close} />,
})

export const tryAction = panelAction<Rule>({
  id: 'try',
  text: 'trial.open',
  icon: 'chart',
  panel: (rule, { may, close }) => <TrialDrawer rule={rule} may={may} onClose={close} />,
})

export const editAction = panelAction<Rule>({
  id: 'edit',
  endpoint: editRule,
  text: 'rule.edit',
  icon: 'edit',
  panel: ruleForm,
})

export const enableAction = callAction(setRuleStatus, {
  id: 'enable',
  text: 'rule.enable',
  icon: 'play',
  intent: 'primary',
  separated: true,
  disabledReason: (rule: Rule, { t }) =>
    rule.status === 'enabled' && !rule.hasDraft
      ? t('rule.inForce')
      : alreadyRequested(rule, 'ruleEnable', t),
  confirm: ({ ruleId, name, latestNo }, { t }) => ({
    title: t('rule.askEnable', { name: ruleName(t, ruleId, name), n: latestNo }),
    body: <p>{t('rule.enableMeans')}</p>,
    reason: REASON,
  }),
  input: ({ ruleId, version, latestNo }, _, reason) => ({
    ruleId,
    version,
    versionNo: latestNo,
    status: 'enabled' as const,
    reason,
  }),
  done: 'rule.asked',
})

export const disableAction = callAction(setRuleStatus, {
  id: 'disable',
  text: 'rule.disable',
  icon: 'disable',
  intent: 'danger',
  when: ({ status }: Rule) => ruleLifecycle.can(status, { type: 'DISABLE' }),
  confirm: ({ ruleId, name }, { t }) => ({
    title: t('rule.askDisable', { name: ruleName(t, ruleId, name) }),
    body: <p>{t('rule.disableMeans')}</p>,
    reason: REASON,
  }),
  input: ({ ruleId, version }, _, reason) => ({
    ruleId,
    version,
    status: 'disabled' as const,
    reason,
  }),
  done: 'rule.disabled',
})

export const deleteAction = callAction(deleteRule, {
  id: 'delete',
  text: 'rule.delete',
  icon: 'delete',
  intent: 'danger',
  separated: true,
  when: ({ status }: Rule) => ruleLifecycle.can(status, { type: 'DELETE' }),
  disabledReason: (rule, { t }) => alreadyRequested(rule, 'ruleEnable', t),
  confirm: ({ name }, { t }) => ({
    title: t('rule.askDelete', { name }),
    irreversible: [t('rule.deleteMeans')],
  }),
  input: ({ ruleId, version }) => ({ ruleId, version }),
  done: 'rule.deleted',
})

const groupForm = (group: RuleGroup | null, { done, close }: PanelTools) => (
  <GroupForm group={group} onDone={done} onClose={close} />
)

export const addGroupAction = panelAction<null>({
  id: 'add',
  endpoint: saveRuleGroup,
  text: 'rule.group.add',
  panel: groupForm,
})

export const editGroupAction = panelAction<RuleGroup>({
  id: 'edit',
  endpoint: saveRuleGroup,
  text: 'rule.group.edit',
  icon: 'edit',
  panel: groupForm,
})

const actionForm = (action: RuleAction | null, { done, close }: PanelTools) => (
  <ActionForm action={action} onDone={done} onClose={close} />
)

export const addActionAction = panelAction<null>({
  id: 'add',
  endpoint: addRuleAction,
  text: 'rule.action.add',
  panel: actionForm,
})

export const editActionAction = panelAction<RuleAction>({
  id: 'edit',
  endpoint: editRuleAction,
  text: 'rule.action.edit',
  icon: 'edit',
  panel: actionForm,
})

export const deleteActionAction = callAction(deleteRuleAction, {
  id: 'delete',
  text: 'rule.delete',
  icon: 'delete',
  intent: 'danger',
  separated: true,
  disabledReason: ({ inUse }: RuleAction, { t }) => (inUse ? t('rule.action.used') : null),
  confirm: ({ actionId, name }, { t }) => ({
    title: t('rule.askDelete', { name: actionName(t, actionId, name) }),
  }),
  input: ({ actionId, version }) => ({ actionId, version }),
  done: 'rule.action.deleted',
})
