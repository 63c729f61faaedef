/** A node: whom it takes, with the number of them counted while it is edited, and what it does. */
import { type ReactNode, useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { type Text, useText } from '#client/base/use-text.ts'
import { couponChoices } from '#client/features/coupons/public.tsx'
import { checkCondition, ConditionField } from '#client/screen/conditions/ConditionField.tsx'
import { useRowForm } from '#client/screen/use-row-form.ts'
import { NumberField, SelectField, SwitchField, TextField } from '#client/ui/form/fields.tsx'
import type { Faults } from '#client/ui/form/fault.ts'
import type { Unfinished } from '#client/ui/form/form.ts'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import type { Catalogue } from '#shared/conditions/catalogue.ts'
import { type Condition, isGroup } from '#shared/conditions/condition.ts'
import { conditionFaults } from '#shared/conditions/condition-faults.ts'
import { addNode, editNode } from '#shared/telemarketing/node-api.ts'
import { NODE_ACTIONS, NODE_TYPES, NODE_WAYS } from '#shared/telemarketing/node-sets.ts'
import { SEGMENTS } from '#shared/telemarketing/tele-sets.ts'
import { AudiencePane } from './AudiencePane.tsx'
import type { MarketingNode, NodeCoupons, NodeFields, Who } from './node-types.ts'

type Values = NodeFields & { nodeId: string; version: number }

const EMPTY: Condition = { kind: 'all', of: [] }
const OMIT = ['nodeId', 'version'] as const
const NEW: NodeFields = {
  name: '',
  type: 'batchRun',
  segment: 'no_certified',
  condition: EMPTY,
  dateDays: 1,
  timeHours: null,
  againDays: null,
  action: 'tasks',
  messageWay: null,
  couponId: null,
  holdout: 10,
  effective: true,
}

export function NodeForm({
  node,
  catalogue,
  coupons,
  onDone,
  onClose,
}: {
  node: MarketingNode | null
  catalogue: Catalogue
  coupons: NodeCoupons
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('telemarketing', 'coupons')
  const { form, frame } = useRowForm<typeof addNode, typeof editNode, Values>({
    row: node,
    add: addNode,
    edit: editNode,
    omit: OMIT,
    values: {
      ...valuesOf(node ?? NEW),
      nodeId: node?.nodeId ?? '',
      version: node?.version ?? 1,
    },
    alsoRequired: ({ action, type }) => [
      ...(action === 'tasks' ? [] : (['messageWay'] as const)),
      ...(type === 'batchRun' ? (['condition'] as const) : []),
    ],
    check: (values) => faultsOf(values, catalogue),
    toSend: (given) => ({ ...given, ...fieldsOf(given) }),
    saved: t('node.saved'),
    onDone,
    onClose,
  })
  const values = useWatch({ control: form.form.control }) as Values
  const who = useAudience(values, catalogue, node)
  const words = (prefix: string, all: readonly string[]) =>
    all.map((value) => ({ value, label: t(`${prefix}.${value}`) }))
  return (
    <FormDrawer
      {...frame}
      width={860}
      title={node === null ? t('node.add') : t('node.edit', { name: node.name })}
    >
      <div className="node-grid">
        <TextField name="name" label={t('node.col.name')} maxLength={50} />
        <SelectField
          name="segment"
          label={t('node.col.segment')}
          options={words('menu', SEGMENTS)}
        />
        <SelectField
          name="type"
          label={t('node.col.type')}
          options={words('node.type', NODE_TYPES)}
          {...(values.type === 'package' && { help: t('node.form.packageMeans') })}
        />
        <SelectField
          name="action"
          label={t('node.col.action')}
          options={words('node.action', NODE_ACTIONS)}
        />
        <NumberField
          name="dateDays"
          label={t('node.form.dateDays')}
          min={0}
          max={365}
          suffix={t('unit.days')}
        />
        <NumberField
          name="timeHours"
          label={t('node.form.timeHours')}
          min={0}
          max={720}
          suffix={t('unit.hours')}
        />
        <NumberField
          name="holdout"
          label={t('node.form.holdout')}
          min={0}
          max={50}
          suffix="%"
          help={t('node.form.holdoutMeans')}
        />
        <NumberField
          name="againDays"
          label={t('node.form.againDays')}
          min={1}
          max={365}
          suffix={t('unit.days')}
          help={t('node.form.againMeans')}
        />
        {values.action !== 'tasks' && (
          <SelectField
            name="messageWay"
            label={t('node.form.messageWay')}
            options={words('node.way', NODE_WAYS)}
          />
        )}
        <SelectField
          name="couponId"
          label={t('node.col.coupon')}
          placeholder={t('coupons:use.none')}
          options={choicesOf(coupons, node, t)}
          help={t('node.form.couponMeans')}
        />
        <SwitchField
          name="effective"
          label={t('node.col.effective')}
          text={t('node.form.effectiveMeans')}
        />
      </div>
      <ConditionField name="condition" label={t('node.form.condition')} catalogue={catalogue} />
      <AudiencePane who={who} />
    </FormDrawer>
  )
}

function valuesOf({
  name,
  type,
  segment,
  condition,
  dateDays,
  timeHours,
  againDays,
  action,
  messageWay,
  couponId,
  holdout,
  effective,
}: NodeFields): NodeFields {
  return {
    name,
    type,
    segment,
    condition: condition ?? EMPTY,
    dateDays,
    timeHours,
    againDays,
    action,
    messageWay,
    couponId,
    holdout,
    effective,
  }
}

/** A list may come without a condition. */
function isWithout({ type, condition }: Pick<NodeFields, 'type' | 'condition'>): boolean {
  return (
    type === 'package' && (condition === null || (isGroup(condition) && condition.of.length === 0))
  )
}

function fieldsOf(given: NodeFields): NodeFields {
  return {
    ...given,
    condition: isWithout(given) ? null : given.condition,
    messageWay: given.action === 'tasks' ? null : given.messageWay,
    couponId: given.couponId || null,
  }
}

function faultsOf(values: Unfinished<Values>, catalogue: Catalogue): Faults {
  const faults: Faults = isWithout(values)
    ? {}
    : { ...checkCondition('condition', values.condition ?? EMPTY, catalogue) }
  if (values.type === 'batchRun' && values.dateDays === null && values.timeHours === null)
    faults.dateDays = { key: 'telemarketing:node.form.waitNeeded', params: {} }
  return faults
}

/** One that was switched off stays with its node, which continues without it. */
function choicesOf(coupons: NodeCoupons, node: MarketingNode | null, t: Text) {
  const choices = couponChoices(coupons, t)
  if (node === null || node.couponId === null || !node.couponOff) return choices
  const label = t('node.couponOff', { name: node.couponName ?? node.couponId })
  return [...choices, { value: node.couponId, label }]
}

/** What can be counted now; null while something is missing. */
function useAudience(values: Values, catalogue: Catalogue, node: MarketingNode | null): Who | null {
  const { type, segment, condition, dateDays, timeHours, againDays, action, holdout, couponId } =
    values
  const nodeId = node?.nodeId
  return useMemo(() => {
    const without = isWithout({ type, condition })
    const isComplete =
      without || (condition !== null && conditionFaults(condition, catalogue).length === 0)
    const numbers = [dateDays, timeHours, againDays, holdout]
    // a list that was not saved has nobody on it
    if (!isComplete || numbers.some(Number.isNaN) || holdout === null) return null
    if (type === 'package' && nodeId === undefined) return null
    return {
      type,
      segment,
      condition: without ? null : condition,
      dateDays,
      timeHours,
      againDays,
      action,
      holdout,
      couponId: couponId || null,
      ...(nodeId === undefined ? {} : { nodeId }),
    }
  }, [
    type,
    segment,
    condition,
    dateDays,
    timeHours,
    againDays,
    action,
    holdout,
    couponId,
    nodeId,
    catalogue,
  ])
}
