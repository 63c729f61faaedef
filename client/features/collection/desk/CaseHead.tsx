import { Button, Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { CustomerLink } from '#client/features/customers/public.tsx'
import type { useWatch } from '#client/live/watch.ts'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Presence } from '#client/ui/value/Presence.tsx'
import { type Stage, StageTag, StatusTag } from '#client/ui/value/StatusTag.tsx'
import { stateTone } from './case-words.ts'
import type { CaseRow } from './case-types.ts'
import { casePath } from '#shared/collection/case-path.ts'

/** Whose case it is, its stage and state, who else has it open, and why it is on hold. */
export function CaseHead({
  row,
  others,
  isHolder,
  isDocked,
  onNext,
  onClose,
}: {
  row: CaseRow
  others: ReturnType<typeof useWatch>
  isHolder: boolean
  isDocked: boolean
  onNext: (() => void) | undefined
  onClose: (() => void) | undefined
}): ReactNode {
  const t = useText('collection')
  const [, navigate] = useLocation()
  const { user } = useSession()
  return (
    <>
      <header className="case-head">
        {/* the customer of a closed case is out of the viewer's scope */}
        <h2>
          {row.state === 'closed' && user.scope.kind !== 'all' ? (
            row.userName
          ) : (
            <CustomerLink userId={row.userId}>{row.userName}</CustomerLink>
          )}
        </h2>
        <StageTag stage={row.stageId as Stage} />
        <StatusTag tone={stateTone(row.state)}>
          {isHolder && row.state !== 'held' ? t('desk.yours') : t(`state.${row.state}`)}
        </StatusTag>
        <Presence members={others} />
        <span className="case-head-actions">
          {!isDocked && onNext && (
            <ActionButton
              variant="minimal"
              size="small"
              icon="play"
              text={t('desk.nextCase')}
              keys="N"
              onClick={onNext}
            />
          )}
          {isDocked && (
            <Button
              variant="minimal"
              size="small"
              icon="document"
              aria-label={t('desk.openPage')}
              title={t('desk.openPage')}
              onClick={() => navigate(casePath(row.caseId, 'pedding_list'))}
            />
          )}
          {onClose && (
            <Button
              variant="minimal"
              size="small"
              icon="cross"
              aria-label={t('desk.close')}
              title={t('desk.close')}
              onClick={onClose}
            />
          )}
        </span>
      </header>
      {row.state === 'held' && (
        <Callout intent="warning" icon="pause" className="case-banner">
          {t('desk.heldBecause', {
            reason: t(`stopReason.${row.holdReason ?? 'other'}`, {
              defaultValue: row.holdReason ?? '',
            }),
          })}{' '}
          {row.holdUntil && (
            <>
              {t('desk.until')} <IstTime value={row.holdUntil} style="day" />
            </>
          )}
        </Callout>
      )}
    </>
  )
}
