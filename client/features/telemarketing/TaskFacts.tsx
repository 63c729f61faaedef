/** Facts of one task: the customer, and what the segment is about. */
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { CustomerLink } from '#client/features/customers/public.tsx'
import { OrderLink } from '#client/features/orders/public.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { TONES } from './tele-columns.ts'
import type { TeleRow } from './tele-types.ts'

export function TaskFacts({ task }: { task: TeleRow }): ReactNode {
  const t = useText('telemarketing')
  return (
    <dl className="fact-box">
      <Fact name="userName">
        <CustomerLink userId={task.userId}>{task.userName}</CustomerLink>
      </Fact>
      <Fact name="phone">
        <span className="tabular">{task.phone}</span>
      </Fact>
      <Fact name="state">
        <StatusTag tone={TONES[task.state]}>{t(`state.${task.state}`)}</StatusTag>
      </Fact>
      <Fact name="lossDays">{task.lossDays}</Fact>
      <Fact name="followCount">{task.followCount}</Fact>
      {task.segment === 'no_certified' && <Fact name="lastStep">{t(`step.${task.lastStep}`)}</Fact>}
      {task.finalLimit !== null && (
        <Fact name="finalLimit">
          <Money paise={task.finalLimit} />
        </Fact>
      )}
      {task.lastOrderId !== null && (
        <Fact name="lastOrderId">
          <OrderLink orderId={task.lastOrderId} />
        </Fact>
      )}
      {task.segment !== 'no_certified' && task.lastAmount !== null && (
        <Fact name="lastAmount">
          <Money paise={task.lastAmount} />
        </Fact>
      )}
      {task.segment === 'loan_failed' && task.failReason !== null && (
        <Fact name="failReason">{task.failReason}</Fact>
      )}
      {task.nextFollowTime !== null && (
        <Fact name="nextFollowTime">
          <IstTime value={task.nextFollowTime} />
        </Fact>
      )}
      {task.couponName !== null && <Fact name="couponName">{task.couponName}</Fact>}
      {task.nodeName !== null && <Fact name="nodeName">{task.nodeName}</Fact>}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  const t = useText('telemarketing')
  return (
    <div>
      <dt>{t(`col.${name}`)}</dt>
      <dd>{children}</dd>
    </div>
  )
}
