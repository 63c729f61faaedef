import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { AddProof, LaunchReduction, SendLink } from '#client/features/repayments/public.tsx'
import { NewTicketButton } from '#client/features/tickets/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import {
  allocateCases,
  callBorrower,
  caseContacts,
  endCase,
  recallCases,
} from '#shared/collection/cases-api.ts'
import { addStop } from '#shared/collection/stops-api.ts'
import { sendLink } from '#shared/repayments/links-api.ts'
import { addProof } from '#shared/repayments/proofs-api.ts'
import type { OpenForm } from './CaseForms.tsx'
import type { CaseDetail } from './case-types.ts'

interface CaseActionsProps {
  detail: CaseDetail
  /** The oldest instalment with an amount due. */
  plan: CaseDetail['plans'][number] | undefined
  /** Why a call, a WhatsApp message or a payment link is not possible now; null = possible. */
  refused: { dial: string | null; whatsapp: string | null; link: string | null }
  showsContacts: boolean
  onDial: () => void
  onWhatsapp: () => void
  onContacts: () => void
  onForm: (form: OpenForm) => void
  onDone: () => void
}

/** The buttons of a case: contact first, then what moves, stops or ends it. */
export function CaseActions({
  detail,
  plan,
  refused,
  showsContacts,
  onDial,
  onWhatsapp,
  onContacts,
  onForm,
  onDone,
}: CaseActionsProps): ReactNode {
  const t = useText('collection')
  const { reason: offline } = useConnection()
  const mayContacts = usePermission(caseContacts.access)
  const mayStop = usePermission(addStop.access)
  const mayRecall = usePermission(recallCases.access)
  const mayAllocate = usePermission(allocateCases.access)
  const mayProve = usePermission(addProof.access)
  const mayLink = usePermission(sendLink.access)
  const mayCall = usePermission(callBorrower.access)
  const mayEnd = usePermission(endCase.access)
  const row = detail.case
  return (
    <div className="case-dial">
      {mayCall && (
        <ActionButton
          icon="phone"
          intent="success"
          text={t('desk.call')}
          keys="C"
          disabledReason={refused.dial}
          onClick={onDial}
        />
      )}
      {mayCall && (
        <ActionButton
          icon="chat"
          text={t('desk.whatsapp')}
          keys="W"
          disabledReason={refused.whatsapp}
          onClick={onWhatsapp}
        />
      )}
      {mayContacts && (
        <Button
          icon="people"
          text={t('desk.contacts')}
          disabled={showsContacts}
          onClick={onContacts}
        />
      )}
      {(mayStop || mayRecall || mayAllocate || mayEnd || mayProve || mayLink) && (
        <span className="case-more">
          {mayAllocate && row.state !== 'held' && row.state !== 'closed' && (
            <ActionButton
              variant="minimal"
              icon="swap-horizontal"
              text={t('desk.allocate')}
              disabledReason={offline}
              onClick={() => onForm({ form: 'allocate', rows: [row] })}
            />
          )}
          {mayRecall && detail.allowed.includes('AGENCY_RECALL') && row.state === 'allocated' && (
            <ActionButton
              variant="minimal"
              icon="undo"
              text={t('desk.recall')}
              disabledReason={offline}
              onClick={() => onForm({ form: 'recall', rows: [row] })}
            />
          )}
          {row.state !== 'closed' && (
            <SendLink
              planId={plan?.planId ?? null}
              due={plan?.outstanding ?? 0}
              refused={refused.link}
              onDone={onDone}
            />
          )}
          {row.state !== 'closed' && row.overdueDays > 0 && (
            <LaunchReduction
              orderId={row.orderId}
              status={row.rbiClass === 'npa' ? 90 : 50}
              onDone={onDone}
            />
          )}
          {row.state !== 'closed' && <AddProof orderId={row.orderId} onDone={onDone} />}
          {mayStop && detail.allowed.includes('HOLD') && (
            <ActionButton
              variant="minimal"
              icon="stop"
              text={t('stop.short')}
              disabledReason={offline}
              onClick={() => onForm({ form: 'stop', row })}
            />
          )}
          {mayEnd && detail.allowed.includes('HOLD') && (
            <ActionButton
              variant="minimal"
              icon="ban-circle"
              intent="danger"
              text={t('desk.end')}
              disabledReason={offline}
              onClick={() => onForm({ form: 'end', row })}
            />
          )}
          <NewTicketButton
            variant="minimal"
            customer={{ userId: row.userId, userName: row.userName, orderId: row.orderId }}
            onDone={onDone}
          />
        </span>
      )}
    </div>
  )
}
