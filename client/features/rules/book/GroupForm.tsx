import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { NumberField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { saveRuleGroup } from '#shared/rules/rule-api.ts'
import { RULE_MODES, type RuleMode } from '#shared/rules/rule-sets.ts'
import { groupName } from '../shipped-words.ts'
import type { RuleGroup } from './rule-types.ts'

interface Values {
  name: string
  mode: RuleMode
  order: number
}
const OMIT = ['groupId', 'version'] as const

export function GroupForm({
  group,
  onDone,
  onClose,
}: {
  group: RuleGroup | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('rules')
  const { reason: offline } = useConnection()
  const save = useSend(saveRuleGroup, { quiet: true })
  const isKept = (group?.enabledCount ?? 0) > 0
  const form = useSchemaForm<Values>({
    schema: saveRuleGroup.input,
    omit: OMIT,
    values: {
      name: group?.name ?? '',
      mode: group?.mode ?? 'parallel',
      order: group?.order ?? 100,
    },
    onSubmit: async ({ name, mode, order }) => {
      await save.mutateAsync({
        name,
        mode,
        order,
        ...(group && { groupId: group.groupId, version: group.version }),
      })
    },
    onDone: () => {
      void showMessage({ intent: 'success', message: t('rule.group.saved'), key: 'rule' })
      onDone()
      onClose()
    },
  })
  return (
    <FormDialog
      isOpen
      title={group ? groupName(t, group.groupId, group.name) : t('rule.group.add')}
      form={form}
      submitRefused={offline}
      onClose={onClose}
    >
      <TextField name="name" label={t('rule.col.name')} maxLength={60} />
      <NumberField name="order" label={t('rule.col.order')} min={1} max={999} />
      <SelectField
        name="mode"
        label={t('rule.col.mode')}
        options={RULE_MODES.map((value) => ({
          value,
          label: t(`rule.mode.${value}`),
          disabled: isKept && value !== group?.mode,
        }))}
        help={isKept ? t('rule.group.modeKept') : t('rule.modeMeans')}
      />
    </FormDialog>
  )
}
