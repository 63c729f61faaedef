/** Form of a rule. Saving makes a new draft version; the one in force continues. */
import '../rules.css'
import { type ReactNode, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { checkCondition, ConditionField } from '#client/screen/conditions/ConditionField.tsx'
import { useRowForm } from '#client/screen/use-row-form.ts'
import { queryOf } from '#client/session/query.ts'
import { useQuery } from '@tanstack/react-query'
import { AreaField, NumberField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import type { Condition } from '#shared/conditions/condition.ts'
import { addRule, editRule, ruleDetail } from '#shared/rules/rule-api.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { RULE_MODES, RULE_TYPES } from '#shared/rules/rule-sets.ts'
import { ReadFileButton } from '../tables/FileButtons.tsx'
import { actionName, groupName, ruleName } from '../shipped-words.ts'
import type { Rule, RuleAction, RuleGroup, RuleFields } from './rule-types.ts'

type Values = RuleFields & { ruleId: string; version: number }
interface FormProps {
  rule: Rule | null
  /** The version whose words a new draft begins with; the newest one without it. */
  fromVersion?: number
  groups: readonly RuleGroup[]
  actions: readonly RuleAction[]
  onDone: () => void
  onClose: () => void
}

const OMIT = ['ruleId', 'version'] as const
const EMPTY: Condition = { kind: 'all', of: [] }

/** A draft is continued: its newest version is what the form begins with. */
export function RuleForm(props: FormProps): ReactNode {
  const { rule, fromVersion } = props
  const { data } = useQuery({
    ...queryOf(ruleDetail, { ruleId: rule?.ruleId ?? '' }),
    enabled: rule !== null,
    gcTime: 0,
  })
  if (rule !== null && data === undefined) return null
  const [latest] = data?.versions ?? []
  const proposed = data?.versions.find(({ versionNo }) => versionNo === fromVersion)
  return <FieldsForm {...props} initial={proposed ?? latest ?? null} />
}

function FieldsForm({
  rule,
  initial,
  groups,
  actions,
  onDone,
  onClose,
}: FormProps & { initial: RuleFields | null }): ReactNode {
  const t = useText('rules')
  const [filesRead, setFilesRead] = useState(0)
  const kindOf = (actionId: string) => actions.find((one) => one.actionId === actionId)?.kind
  const { form, frame } = useRowForm<typeof addRule, typeof editRule, Values>({
    row: rule,
    add: addRule,
    edit: editRule,
    omit: OMIT,
    values: {
      ruleId: rule?.ruleId ?? '',
      version: rule?.version ?? 1,
      name: initial?.name ?? '',
      type: initial?.type ?? 'admission',
      groupId: initial?.groupId ?? groups[0]?.groupId ?? '',
      priority: initial?.priority ?? 100,
      mode: initial?.mode ?? 'parallel',
      description: initial?.description || null,
      expression: initial?.expression ?? EMPTY,
      actionId: initial?.actionId ?? actions.find((one) => one.kind === 'manual')?.actionId ?? '',
      output: initial?.output ?? null,
      refusalCode: initial?.refusalCode ?? null,
    },
    alsoRequired: ({ actionId }) => neededBy(kindOf(actionId)),
    check: ({ expression }) => checkCondition('expression', expression, RULE_CATALOGUE),
    toSend: (given) => ({
      ...given,
      description: given.description || null,
      output: given.output || null,
      refusalCode: kindOf(given.actionId) === 'reject' ? given.refusalCode || null : null,
    }),
    saved: t('rule.saved'),
    onDone,
    onClose,
  })
  const actionId = useWatch({ control: form.form.control, name: 'actionId' })
  const kind = kindOf(actionId)
  const words = (prefix: string, all: readonly string[]) =>
    all.map((value) => ({ value, label: t(`${prefix}.${value}`) }))
  return (
    <FormDrawer
      {...frame}
      width={860}
      title={
        rule === null
          ? t('rule.add')
          : t('rule.editTitle', { name: ruleName(t, rule.ruleId, rule.name) })
      }
    >
      {rule !== null && (
        <p className="rule-note">{t('rule.editMeans', { n: rule.latestNo + 1 })}</p>
      )}
      <div className="rule-grid">
        <TextField name="name" label={t('rule.col.name')} maxLength={80} />
        <SelectField
          name="type"
          label={t('rule.col.type')}
          options={words('rule.type', RULE_TYPES)}
        />
        <SelectField
          name="groupId"
          label={t('rule.col.group')}
          options={groups.map(({ groupId, name }) => ({
            value: groupId,
            label: groupName(t, groupId, name),
          }))}
        />
        <NumberField name="priority" label={t('rule.col.priority')} min={1} max={999} />
        <SelectField
          name="mode"
          label={t('rule.col.mode')}
          options={words('rule.mode', RULE_MODES)}
          help={t('rule.modeMeans')}
        />
        <SelectField
          name="actionId"
          label={t('rule.col.action')}
          options={actions.map((one) => ({
            value: one.actionId,
            label: actionName(t, one.actionId, one.name),
          }))}
        />
        {kind === 'reject' && (
          <TextField name="refusalCode" label={t('rule.col.refusalCode')} maxLength={20} />
        )}
        <TextField
          name="output"
          label={t('rule.col.output')}
          maxLength={200}
          help={t('rule.outputMeans')}
        />
        <AreaField name="description" label={t('rule.col.description')} rows={2} maxLength={300} />
      </div>
      <ReadFileButton
        kind="condition"
        onRead={({ expression }) => {
          form.form.setValue('expression', expression, { shouldDirty: true })
          setFilesRead(filesRead + 1)
        }}
      />
      {/* another file is another condition to edit */}
      <ConditionField
        key={filesRead}
        name="expression"
        label={t('rule.col.expression')}
        catalogue={RULE_CATALOGUE}
      />
    </FormDrawer>
  )
}

/** What the action of the rule needs. */
function neededBy(kind: RuleAction['kind'] | undefined): ('refusalCode' | 'output')[] {
  return kind === 'reject' ? ['refusalCode'] : kind === 'setOutput' ? ['output'] : []
}
