/** Requests a move of cases: giver, receiver and count; shows the outstanding before sending. */
import { type Text, useText } from '#client/base/use-text.ts'
import '../collection.css'
import './allocation.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { AreaField, NumberField, SelectField } from '#client/ui/form/fields.tsx'
import { fieldError, serverFaults } from '#client/ui/form/form.ts'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import {
  changeEnds,
  launchChange,
  MOST_MOVED,
  weighChange,
} from '#shared/collection/allocation-api.ts'
import { TRANSFER_TYPES } from '#shared/collection/collection-sets.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'

type Values = InputOf<typeof launchChange>
type EndKind = 'collectors' | 'groups' | 'agencies'
interface EndOption {
  value: string
  label: string
  /** Of the caller's own unit: a move inside it happens at once. */
  inside: boolean
}
const FROM: Record<Values['transferType'], EndKind> = {
  collectorToCollector: 'collectors',
  collectorToGroup: 'collectors',
  groupToGroup: 'groups',
  agencyToAgency: 'agencies',
  toPool: 'collectors',
}
const TO: Record<Values['transferType'], EndKind | null> = {
  collectorToCollector: 'collectors',
  collectorToGroup: 'groups',
  groupToGroup: 'groups',
  agencyToAgency: 'agencies',
  toPool: null,
}

export function LaunchChange({
  onDone,
  onClose,
}: {
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('collection')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const send = useSend(launchChange)
  const [confirming, setConfirming] = useState<Values | null>(null)
  const form = useSchemaForm<Values>({
    schema: launchChange.input,
    values: {
      transferType: 'collectorToCollector',
      fromId: '',
      toId: '',
      count: 1,
      order: 'oldest',
      reason: '',
    },
    alsoRequired: (values) => (TO[values.transferType] === null ? [] : ['toId']),
    check: (values) =>
      weight.data !== undefined && (values.count ?? 0) > weight.data.held
        ? { count: { key: 'collection:change.tooMany', params: { n: weight.data.held } } }
        : null,
    // keeps what was typed until the request succeeds
    onSubmit: (values) => Promise.resolve(setConfirming(values)),
  })
  const { transferType, fromId, toId, count, order } = useValue({
    control: form.form.control,
  }) as Values
  const isCounted = Number.isInteger(count) && count >= 1 && count <= MOST_MOVED
  const weight = useQuery({
    ...queryOf(weighChange, { transferType, fromId, count, order }, { quiet: true }),
    enabled: fromId !== '' && isCounted,
    staleTime: 0,
  })
  const { from, to } = useEnds(t)
  const givers = from[FROM[transferType]]
  const kind = TO[transferType]
  const takers = kind === null ? [] : to[kind].filter(({ value }) => value !== fromId)
  const taker = takers.find(({ value }) => value === toId)
  // only a caller who sees a whole agency can give on its behalf
  const types = TRANSFER_TYPES.filter(
    (type) =>
      type !== 'agencyToAgency' || user.scope.kind === 'all' || user.scope.kind === 'agency',
  )

  async function move(): Promise<void> {
    if (confirming === null) return
    const { toId: taken, ...rest } = confirming
    try {
      const change = await send.mutateAsync(
        TO[confirming.transferType] === null ? rest : { ...rest, toId: taken },
      )
      void showMessage({
        intent: 'success',
        message:
          change.state === 'done'
            ? t('change.doneNow', { moved: change.movedCount })
            : t('change.waits'),
        key: 'change',
      })
      onDone()
      onClose()
    } catch (error) {
      for (const [name, found] of Object.entries(serverFaults(error, launchChange.input)))
        form.form.setError(name as keyof Values, fieldError(found))
      void weight.refetch()
      throw error
    }
  }
  return (
    <>
      <FormDrawer
        isOpen
        title={t('change.launch')}
        form={form}
        submitText={t('change.launch')}
        submitRefused={offline}
        onClose={onClose}
      >
        <SelectField
          name="transferType"
          label={t('change.col.transferType')}
          options={types.map((value) => ({ value, label: t(`transferType.${value}`) }))}
        />
        <SelectField name="fromId" label={t('change.col.from')} options={givers} />
        {kind !== null && <SelectField name="toId" label={t('change.col.to')} options={takers} />}
        <NumberField
          name="count"
          label={t('change.col.count')}
          min={1}
          max={Math.min(MOST_MOVED, weight.data?.held ?? MOST_MOVED)}
          {...(weight.data === undefined
            ? {}
            : { help: t('change.holds', { n: weight.data.held }) })}
        />
        <SelectField
          name="order"
          label={t('change.order')}
          options={(['oldest', 'highestAmount', 'lowestOverdue'] as const).map((value) => ({
            value,
            label: t(`change.orders.${value}`),
          }))}
        />
        <AreaField name="reason" label={t('change.col.reason')} maxLength={200} />
        <p className="collection-hint">{t('change.hint')}</p>
      </FormDrawer>
      <ConfirmAction
        isOpen={confirming !== null}
        intent="primary"
        title={t('change.askApprove')}
        count={weight.data?.cases ?? count}
        {...(weight.data === undefined ? {} : { amount: weight.data.amount })}
        confirmText={t('change.launch')}
        onConfirm={move}
        onClose={() => setConfirming(null)}
      >
        <p>
          {givers.find(({ value }) => value === fromId)?.label} →{' '}
          {kind === null ? t('transferType.toPool') : taker?.label}
        </p>
        <p>{t(kind === null || taker?.inside === true ? 'change.movesNow' : 'change.waits')}</p>
      </ConfirmAction>
    </>
  )
}

/**
 * Givers are people and units of the caller. Receivers are the caller's people, and other units by
 * name.
 */
function useEnds(t: Text): Record<'from' | 'to', Record<EndKind, EndOption[]>> {
  const { data: tree } = useQuery({
    ...queryOf(collectionTree, {}, { quiet: true }),
    staleTime: 30_000,
  })
  const { data: ends } = useQuery({
    ...queryOf(changeEnds, {}, { quiet: true }),
    staleTime: 30_000,
  })
  return useMemo(() => {
    const collectors = (tree?.collectors ?? []).map(({ userId, userName, account, openCases }) => ({
      value: userId,
      label: t('desk.person', { name: userName, account, cases: openCases }),
      inside: true,
    }))
    const groups = (ends?.groups ?? []).map(({ id, name, agencyName, inside }) => ({
      value: id,
      label: `${name} · ${agencyName}`,
      inside,
    }))
    const agencies = (ends?.agencies ?? []).map(({ id, name, inside }) => ({
      value: id,
      label: name,
      inside,
    }))
    return {
      from: {
        collectors,
        groups: groups.filter(({ inside }) => inside),
        agencies: (tree?.agencies ?? []).map(({ id, name }) => ({
          value: id,
          label: name,
          inside: true,
        })),
      },
      to: { collectors, groups, agencies },
    }
  }, [tree, ends, t])
}
