/** What other features may use of approvals. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'wouter'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { panelAction } from '#client/screen/list/list-actions.ts'
import { useLive } from '#client/live/use-live.ts'
import { queryOf } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { listApprovals, withdrawApproval } from '#shared/approvals/approvals-api.ts'
import type { PendingApprovalRow } from '#shared/approvals/pending-approval.ts'

const ApprovalsDrawer = lazyPart(() =>
  import('./ApprovalsDrawer.tsx').then((m) => ({ default: m.ApprovalsDrawer })),
)

/** What `ApprovalsList` shows without a page. */
export const ALL_APPROVALS = queryOf(listApprovals, {}, { quiet: true })

/** Requests of all kinds: own ones and those to decide. */
export const ApprovalsList = lazyPart(() =>
  import('./ApprovalsList.tsx').then((m) => ({ default: m.ApprovalsList })),
)

/** Confirms the withdrawal of an own request. */
export const WithdrawRequest = lazyPart(() =>
  import('./WithdrawRequest.tsx').then((m) => ({ default: m.WithdrawRequest })),
)

/** Withdraws a pending request; for the person who made it. */
export const withdrawAction = panelAction<{ approval: PendingApprovalRow | null }>({
  id: 'withdrawRequest',
  endpoint: withdrawApproval,
  text: 'ui:approval.withdraw',
  icon: 'cross',
  separated: true,
  when: ({ approval }, { user }) => approval?.requestById === user.userId,
  panel: ({ approval }, { done, close }) =>
    approval && <WithdrawRequest approval={approval} onDone={done} onClose={close} />,
})

/** What a request would do. */
export const Effect = lazyPart(() => import('./Effect.tsx').then((m) => ({ default: m.Effect })))

/**
 * Button that opens all requests that are asked for on a page, and shows the number of pending ones.
 * `?requests=1` in the address opens them too: notifications of requests lead there.
 */
export function Requests({ menu }: { menu: string }): ReactNode {
  const t = useText('approvals')
  const [params, setParams] = useSearchParams()
  const [isOpen, setOpen] = useState(params.get('requests') === '1')
  const { data, refetch } = useQuery(
    queryOf(listApprovals, { menu, state: 'pending' }, { quiet: true }),
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
      {isOpen ? <ApprovalsDrawer menu={menu} onClose={close} /> : null}
    </>
  )
}
