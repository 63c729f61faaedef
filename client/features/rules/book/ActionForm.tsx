import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { AreaField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { addRuleAction, editRuleAction } from '#shared/rules/rule-api.ts'
import { ACTION_KINDS, type ActionKind } from '#shared/rules/rule-sets.ts'
import { actionName } from '../shipped-words.ts'
import type { RuleAction } from './rule-types.ts'

interface Values {
  name: string
  kind: ActionKind
  description: string
}
const OMIT = ['actionId', 'version'] as const

export function ActionForm({
  action,
  onDone,
  onClose,
}: {
  action: RuleAction | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('rules')
  const { reason: offline } = useConnection()
  const add = useSend(addRuleAction, { quiet: true })
  const edit = useSend(editRuleAction, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: editRuleAction.input,
    omit: OMIT,
    values: {
      name: action?.name ?? '',
      kind: action?.kind ?? 'manual',
      description: action?.description ?? '',
    },
    onSubmit: async ({ name, kind, description }) => {
      const fields = { name, kind, description }
      await (action === null
        ? add.mutateAsync(fields)
        : edit.mutateAsync({ ...fields, actionId: action.actionId, version: action.version }))
    },
    onDone: () => {
      void showMessage({ intent: 'success', message: t('rule.action.saved'), key: 'rule' })
      onDone()
      onClose()
    },
  })
  return (
    <FormDialog
      isOpen
      title={action ? actionName(t, action.actionId, action.name) : t('rule.action.add')}
      form={form}
      submitRefused={offline}
      onClose={onClose}
    >
      <TextField name="name" label={t('rule.col.name')} maxLength={60} />
      <SelectField
        name="kind"
        label={t('rule.col.kind')}
        options={ACTION_KINDS.map((value) => ({
          value,
          label: t(`rule.kind.${value}`),
          disabled: action?.inUse === true && value !== action.kind,
        }))}
        {...(action?.inUse && { help: t('rule.action.kindKept') })}
      />
      <AreaField name="description" label={t('rule.col.description')} rows={2} maxLength={200} />
    </FormDialog>
  )
}
