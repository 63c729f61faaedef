/**
 * Forms that choose a colleague: assign and hand over. The list shows who is full, away or not
 * taking tickets.
 */
import { type Text, useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { LeftRows } from '#client/screen/LeftRows.tsx'
import { AreaField, type Option, SelectField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { assignTickets, listTakers, transferTickets } from '#shared/tickets/tickets-api.ts'
import type { Taker, TicketRow } from '../ticket-types.ts'

export interface PeopleFormProps {
  /** All of one queue. */
  rows: readonly TicketRow[]
  /** Selected rows that do not allow it. */
  left: number | undefined
  /** The refusal of a single row is thrown, so that the form shows it. */
  onSend: (send: (feedbackIds: string[]) => Promise<BulkResult>) => Promise<void>
  onClose: () => void
}

const OMIT = ['feedbackIds']

export function AssignForm({ rows, left, onSend, onClose }: PeopleFormProps): ReactNode {
  const t = useText('tickets')
  const { reason: offline } = useConnection()
  const send = useSend(assignTickets, { quiet: true })
  const takers = useTakersOf(rows)
  const form = useSchemaForm<InputOf<typeof assignTickets>>({
    schema: assignTickets.input,
    omit: OMIT,
    values: { feedbackIds: rows.map((row) => row.feedbackId), toUserId: '' },
    onDone: onClose,
    onSubmit: (input) => onSend((ids) => send.mutateAsync({ ...input, feedbackIds: ids })),
  })
  return (
    <FormDialog
      isOpen
      title={t('ask.assignTitle', { count: rows.length })}
      form={form}
      submitText={t('action.assign')}
      submitRefused={offline}
      onClose={onClose}
    >
      <LeftRows count={left} />
      <SelectField
        name="toUserId"
        label={t('form.person')}
        options={takers.map((taker) => takerOption(taker, t))}
      />
    </FormDialog>
  )
}

/** @param isAtOnce a leader's hand-over needs no approval */
export function TransferForm({
  rows,
  left,
  isAtOnce,
  onSend,
  onClose,
}: PeopleFormProps & { isAtOnce: boolean }): ReactNode {
  const t = useText('tickets')
  const { reason: offline } = useConnection()
  const send = useSend(transferTickets, { quiet: true })
  const takers = useTakersOf(rows)
  const form = useSchemaForm<InputOf<typeof transferTickets>>({
    schema: transferTickets.input,
    omit: OMIT,
    values: {
      feedbackIds: rows.map((row) => row.feedbackId),
      toUserId: '',
      toDepartment: '',
      reason: '',
    },
    onDone: onClose,
    check: ({ toUserId, toDepartment }) =>
      toUserId && toDepartment ? fault('onlyOne') : toUserId || toDepartment ? null : fault('one'),
    onSubmit: (input) => onSend((ids) => send.mutateAsync({ ...input, feedbackIds: ids })),
  })
  const others = takers.filter((taker) => rows.some((row) => row.processorId !== taker.userId))
  const departments = [
    ...new Map(
      others.flatMap(({ department, departmentName }) =>
        department === null ? [] : [[department, departmentName ?? department] as const],
      ),
    ),
  ]
  return (
    <FormDialog
      isOpen
      title={t('ask.transferTitle', { count: rows.length })}
      form={form}
      submitText={t('action.transfer')}
      submitRefused={offline}
      onClose={onClose}
    >
      <LeftRows count={left} />
      <SelectField
        name="toUserId"
        label={t('form.person')}
        options={others.map((taker) => takerOption(taker, t))}
        help={t(isAtOnce ? 'form.transferNow' : 'form.transferHelp')}
      />
      {departments.length > 0 && (
        <SelectField
          name="toDepartment"
          label={t('form.orDepartment')}
          options={departments.map(([value, label]) => ({ value, label }))}
        />
      )}
      <AreaField name="reason" label={t('form.reason')} maxLength={200} />
    </FormDialog>
  )
}

function fault(name: string): Record<string, { key: string; params: Record<string, never> }> {
  return { toUserId: { key: `tickets:form.${name}`, params: {} } }
}

/** People of the queue; for a single ticket without the people it is about. */
function useTakersOf(rows: readonly TicketRow[]): readonly Taker[] {
  const [first, ...others] = rows
  const { data } = useQuery({
    ...queryOf(
      listTakers,
      {
        queue: first?.queue ?? 'operation',
        ...(first && others.length === 0 ? { feedbackId: first.feedbackId } : {}),
      },
      { quiet: true },
    ),
    staleTime: 10_000,
  })
  return (data ?? []).toSorted(
    (a, b) =>
      Number(b.onDuty && b.online) - Number(a.onDuty && a.online) ||
      a.openCount - b.openCount ||
      a.userName.localeCompare(b.userName),
  )
}

function takerOption(
  { userId, userName, openCount, capacity, online, onDuty }: Taker,
  t: Text,
): Option {
  return {
    value: userId,
    label: t(!onDuty ? 'form.colleagueOff' : online ? 'form.colleague' : 'form.colleagueAway', {
      name: userName,
      open: `${openCount}/${capacity}`,
    }),
    disabled: !onDuty || openCount >= capacity,
  }
}
