/** Forms and confirmations for one or more tickets. Refused rows are listed with their reasons. */
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useState } from 'react'
import { StopForm } from '#client/features/collection/public.tsx'
import { CallError } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { LeftRows } from '#client/screen/LeftRows.tsx'
import { useBulk } from '#client/screen/use-bulk.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { isGrievance } from '#shared/tickets/ticket-sets.ts'
import {
  decideTransfers,
  escalateTicket,
  releaseTicket,
  reopenTicket,
  resolveTicket,
} from '#shared/tickets/tickets-api.ts'
import type { TicketActionId } from '../ticket-rules.ts'
import { can, type TicketRow, type Viewer } from '../ticket-types.ts'
import { receiverOf } from '../ticket-words.ts'
import { AssignForm, TransferForm } from './PeopleForms.tsx'

/** Actions with a form or a confirmation. */
export type FormKind = Exclude<TicketActionId, 'claim' | 'reply'>
export interface OpenForm {
  kind: FormKind
  rows: readonly TicketRow[]
  /** Selected rows that do not allow it. */
  left?: number
}

export interface TicketFormsProps {
  open: OpenForm | null
  viewer: Viewer
  onClose: () => void
  /** Called after a change. */
  onDone: (kind: FormKind) => void
  takeRow: (row: TicketRow) => void
}

/** The limit of the contract. */
const REASON = { min: 4, max: 200 }
const RESOLUTION = { min: 1, max: 500 }

type Confirmation = {
  reason?: { min: number; max: number; label: string }
  intent: 'primary' | 'danger' | 'warning'
  send: (text: string) => Promise<unknown>
}

export function TicketForms({
  open,
  viewer,
  onClose,
  onDone,
  takeRow,
}: TicketFormsProps): ReactNode {
  const t = useText('tickets')
  const [fresh, setFresh] = useState<TicketRow | null>(null)
  const resolve = useSend(resolveTicket)
  const release = useSend(releaseTicket)
  const superior = useSend(escalateTicket)
  const reopen = useSend(reopenTicket)
  const decide = useSend(decideTransfers)
  const kind = open?.kind
  const rows = open?.rows ?? []
  // a refusal may have carried a newer row than the one the form was opened with
  const first =
    fresh !== null && fresh.feedbackId === rows[0]?.feedbackId && fresh.version > rows[0].version
      ? fresh
      : rows[0]

  const feedbackIds = rows.map((row) => row.feedbackId)
  const { run, drawer } = useBulk({
    key: 'ticket-done',
    done: (count) => t('done.rows', { count }),
    onDone: () => kind !== undefined && onDone(kind),
  })
  async function one(done: FormKind, sent: Promise<TicketRow>): Promise<void> {
    try {
      takeRow(await sent)
    } catch (error) {
      const row = error instanceof CallError ? (error.data as TicketRow | null) : null
      if (row?.feedbackId !== undefined) {
        setFresh(row)
        takeRow(row)
      }
      throw error
    }
    void showMessage({
      intent: 'success',
      message: t(done === 'resolve' ? 'done.resolved' : 'done.rows', { count: 1 }),
      key: 'ticket-done',
    })
    onDone(done)
  }
  const key = { feedbackId: first?.feedbackId ?? '', version: first?.version ?? 1 }
  const decideAll = (result: 'approved' | 'rejected' | 'cancelled') => (reason: string) =>
    run(
      rows.flatMap((row) => row.handoverId ?? []),
      (handoverIds) => decide.mutateAsync({ handoverIds, result, ...(reason ? { reason } : {}) }),
    )
  const reason = { ...REASON, label: t('form.reason') }
  const confirmations: Record<Exclude<FormKind, 'assign' | 'transfer' | 'stop'>, Confirmation> = {
    resolve: {
      reason: { ...RESOLUTION, label: t('form.resolution') },
      intent: 'primary',
      send: (remark) => one('resolve', resolve.mutateAsync({ ...key, remark })),
    },
    release: {
      reason,
      intent: 'warning',
      send: (text) => one('release', release.mutateAsync({ ...key, reason: text })),
    },
    superior: {
      reason,
      intent: 'warning',
      send: (text) => one('superior', superior.mutateAsync({ ...key, reason: text })),
    },
    reopen: {
      reason,
      intent: 'primary',
      send: (text) => one('reopen', reopen.mutateAsync({ ...key, reason: text })),
    },
    approve: { intent: 'primary', send: decideAll('approved') },
    reject: { reason, intent: 'danger', send: decideAll('rejected') },
    withdraw: { intent: 'primary', send: decideAll('cancelled') },
  }
  const confirmation =
    kind && kind !== 'assign' && kind !== 'transfer' && kind !== 'stop' ? confirmations[kind] : null
  return (
    <>
      {kind && confirmation && first && (
        <ConfirmAction
          isOpen
          title={t(`action.${kind}`)}
          {...(rows.length > 1 ? { count: rows.length } : {})}
          {...(confirmation.reason ? { reason: confirmation.reason } : {})}
          confirmText={t(`action.${kind}`)}
          intent={confirmation.intent}
          onConfirm={confirmation.send}
          onClose={onClose}
        >
          {rows.length === 1 && <p>{questionOf(kind)}</p>}
          <LeftRows count={open?.left} />
          {first.handoverReason &&
            rows.length === 1 &&
            (kind === 'approve' || kind === 'reject') && (
              <blockquote className="ticket-quote">{first.handoverReason}</blockquote>
            )}
          {kind === 'resolve' && isGrievance(first.type) && first.held && (
            <p>{t('ask.resolveHold')}</p>
          )}
          {kind === 'reopen' && isGrievance(first.type) && <p>{t('ask.reopenHold')}</p>}
        </ConfirmAction>
      )}
      {kind === 'assign' && (
        <AssignForm
          rows={rows}
          left={open?.left}
          onSend={(send) => run(feedbackIds, send, true)}
          onClose={onClose}
        />
      )}
      {kind === 'transfer' && (
        <TransferForm
          rows={rows}
          isAtOnce={rows.every((row) => can(viewer, row.queue, 'decide'))}
          left={open?.left}
          onSend={(send) => run(feedbackIds, send, true)}
          onClose={onClose}
        />
      )}
      {kind === 'stop' && first && (
        <StopForm
          userId={first.userId}
          userName={first.userName}
          onDone={() => onDone('stop')}
          onClose={onClose}
        />
      )}
      {drawer}
    </>
  )

  function questionOf(kind: FormKind): string {
    const from = first?.handoverFrom ?? first?.processorName ?? ''
    const params = {
      id: first?.feedbackId ?? '',
      from,
      to: first ? receiverOf(first) : '',
      level: (first?.level ?? 0) + 1,
    }
    return t(
      kind === 'approve' && first?.handoverToId !== viewer.userId
        ? 'ask.approveOther'
        : `ask.${kind}`,
      params,
    )
  }
}
