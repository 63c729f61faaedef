/**
 * Forms and confirmations of the list for one or more rows; refused rows are listed with reasons.
 */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { queryClient, queryKeyOf, useSends } from '#client/session/query.ts'
import { LeftRows } from '#client/screen/LeftRows.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import {
  listReviews,
  releaseReviews,
  retryReview,
  reviewDetail,
  takeOverReview,
} from '#shared/review/review-api.ts'
import { decideHandover } from '#shared/review/review-handover-api.ts'
import type { Colleague, ReviewRow } from '../review-types.ts'
import { AssignForm, HandoverForm } from './ColleagueForms.tsx'
import { useBulk } from '#client/screen/use-bulk.tsx'

export type FormKind =
  | 'release'
  | 'assign'
  | 'handover'
  | 'withdraw'
  | 'approve'
  | 'reject'
  | 'takeOver'
  | 'retry'
  | 'toQueue'
export interface OpenForm {
  kind: FormKind
  rows: readonly ReviewRow[]
  /** Selected rows the action does not apply to. */
  left?: number
}

interface FormsProps {
  open: OpenForm | null
  colleagues: readonly Colleague[]
  onClose: () => void
  onDone?: () => void
  takeRow: (row: ReviewRow) => void
}

/** The limit of the contract. */
const REASON = { min: 4, max: 200 }

export function ReviewForms({ open, colleagues, onClose, onDone, takeRow }: FormsProps): ReactNode {
  const t = useText('review')
  const rows = open?.rows ?? []
  const reviewIds = rows.map((row) => row.reviewId)
  const first = rows[0]
  const send = useSends()

  const { run, drawer } = useBulk({
    key: 'review-done',
    done: (count) => t('done.rows', { count }),
    onDone: () => {
      onDone?.()
      readAgain()
    },
  })
  const decideAll = (result: 'approved' | 'rejected' | 'cancelled') => (reason: string) =>
    run(
      rows.flatMap((row) => row.handoverId ?? []),
      (handoverIds) => send(decideHandover, { handoverIds, result, ...(reason ? { reason } : {}) }),
    )
  async function one(sent: Promise<ReviewRow>): Promise<void> {
    takeRow(await sent)
    readAgain()
  }

  const confirmations: Record<
    Exclude<FormKind, 'assign' | 'handover'>,
    {
      reason: boolean
      intent: 'primary' | 'danger' | 'warning'
      send: (reason: string) => Promise<unknown>
    }
  > = {
    release: {
      reason: true,
      intent: 'warning',
      send: (reason) => run(reviewIds, (ids) => send(releaseReviews, { reviewIds: ids, reason })),
    },
    withdraw: { reason: false, intent: 'primary', send: decideAll('cancelled') },
    approve: { reason: false, intent: 'primary', send: decideAll('approved') },
    reject: { reason: true, intent: 'danger', send: decideAll('rejected') },
    takeOver: {
      reason: true,
      intent: 'danger',
      send: async (reason) =>
        first &&
        one(send(takeOverReview, { reviewId: first.reviewId, version: first.version, reason })),
    },
    retry: {
      reason: false,
      intent: 'primary',
      send: async () =>
        first &&
        one(send(retryReview, { reviewId: first.reviewId, version: first.version, to: 'initial' })),
    },
    toQueue: {
      reason: false,
      intent: 'primary',
      send: async () =>
        first &&
        one(
          send(retryReview, { reviewId: first.reviewId, version: first.version, to: 'unclaimed' }),
        ),
    },
  }
  const kind = open?.kind
  const confirmation = kind && kind !== 'assign' && kind !== 'handover' ? confirmations[kind] : null
  return (
    <>
      {kind && confirmation && (
        <ConfirmAction
          isOpen
          title={t(`action.${kind}`)}
          count={rows.length > 1 ? rows.length : undefined}
          reason={
            confirmation.reason
              ? { min: REASON.min, max: REASON.max, label: t('form.reason') }
              : undefined
          }
          confirmText={t(`action.${kind}`)}
          intent={confirmation.intent}
          onConfirm={confirmation.send}
          onClose={onClose}
        >
          <p>
            {t(`ask.${kind}`, {
              id: first?.reviewId ?? '',
              customer: first?.userName ?? '',
              holder: first?.reviewerName ?? '',
              to: first?.handoverTo ?? '',
            })}
          </p>
          <LeftRows count={open?.left} />
          {first?.handoverReason &&
            (kind === 'approve' || kind === 'reject') &&
            rows.length === 1 && (
              <blockquote className="review-quote">{first.handoverReason}</blockquote>
            )}
        </ConfirmAction>
      )}
      {kind === 'assign' && (
        <AssignForm
          reviewIds={reviewIds}
          left={open?.left}
          colleagues={colleagues}
          onSend={(send) => run(reviewIds, send, true)}
          onClose={onClose}
        />
      )}
      {kind === 'handover' && (
        <HandoverForm
          reviewIds={reviewIds}
          left={open?.left}
          colleagues={colleagues.filter((one) =>
            rows.every((row) => row.reviewerId !== one.userId),
          )}
          onSend={(send) => run(reviewIds, send, true)}
          onClose={onClose}
        />
      )}
      {drawer}
    </>
  )
}

/** Events patch this list; lists in other tabs refetch when they become visible. */
function readAgain(): void {
  void queryClient.invalidateQueries({ queryKey: queryKeyOf(listReviews) })
  void queryClient.invalidateQueries({ queryKey: queryKeyOf(reviewDetail) })
}
