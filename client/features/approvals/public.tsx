/** What other features may use of approvals. */
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { useLive } from '#client/live/use-live.ts'
import { queryOf } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import { listApprovals } from '#shared/approvals/approvals-api.ts'

const ApprovalsDrawer = lazy(() =>
  import('./ApprovalsDrawer.tsx').then((m) => ({ default: m.ApprovalsDrawer })),
)

/** What `ApprovalsList` without a kind shows. */
export const ALL_APPROVALS = queryOf(listApprovals, {}, { quiet: true })

/** Requests of all kinds: own ones and those to decide. */
export const ApprovalsList = lazy(() =>
  import('./ApprovalsList.tsx').then((m) => ({ default: m.ApprovalsList })),
)

/** Asks whether an own request is to be taken back. */
export const WithdrawRequest = lazy(() =>
  import('./WithdrawRequest.tsx').then((m) => ({ default: m.WithdrawRequest })),
)

/** What something asked for would do. */
export const Effect = lazy(() => import('./Effect.tsx').then((m) => ({ default: m.Effect })))

/** Opens the requests of a kind; says how many wait. `?requests=1` in the address opens them, too. */
export function Requests({ kind }: { kind: ApprovalKindName }): ReactNode {
  const { t } = useTranslation('approvals')
  const [params, setParams] = useSearchParams()
  const [isOpen, setOpen] = useState(params.get('requests') === '1')
  const { data, refetch } = useQuery(
    queryOf(listApprovals, { kind, state: 'pending' }, { quiet: true }),
  )
  useLive(['approval.changed'], () => void refetch())
  const close = () => {
    setOpen(false)
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.delete('requests')
        return next
      },
      { replace: true },
    )
  }
  return (
    <>
      <ActionButton
        icon="endorsed"
        text={data?.total ? t('openCount', { n: data.total }) : t('open')}
        onClick={() => setOpen(true)}
      />
      <Suspense fallback={null}>
        {isOpen ? <ApprovalsDrawer kind={kind} onClose={close} /> : null}
      </Suspense>
    </>
  )
}
