/**
 * Available actions with their keys. Actions without permission are hidden; unavailable ones give
 * their reason.
 */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { can, type ReviewDetail, type Viewer } from '../review-types.ts'
import type { FormKind } from '../list/ReviewForms.tsx'
import { hasOpenFailed, isHolder } from './review-desk-machine.ts'
import type { Decision } from './use-decision.ts'
import type { Desk } from './use-desk.ts'

export type DeskActionId = Exclude<FormKind, 'assign'> | 'assign' | 'ask' | 'escalate'
export interface DeskAction {
  id: DeskActionId
  /** One letter. */
  keys?: string
  intent?: 'danger' | 'primary' | 'success'
  /** Key below `review:refused`; null = available. */
  refusal: string | null
  run: () => void
}

/** Events in the server's `allowed` that enable an action, and the condition that shows it. */
export function deskActions({
  detail,
  desk,
  viewer,
  run,
}: {
  detail: ReviewDetail
  desk: Desk
  viewer: Viewer
  run: (id: DeskActionId) => void
}): DeskAction[] {
  const { allowed, review } = detail
  const holds = isHolder(desk.known)
  const worked = desk.known.ownToken > 0 && (desk.place === 'lost' || holds)
  const has = (event: string) => allowed.includes(event)
  const own = (id: DeskActionId, keys: string): DeskAction => ({
    id,
    keys,
    refusal: holds && desk.place !== 'submitting' ? null : 'notYours',
    run: () => run(id),
  })
  const leader = (
    id: DeskActionId,
    shown: Pick<DeskAction, 'intent' | 'keys'> = {},
  ): DeskAction => ({ id, ...shown, refusal: null, run: () => run(id) })
  return [
    ...(worked && can(viewer, 'handover') && review.handoverState !== 'pending'
      ? [own('handover', 'H')]
      : has('REQUEST')
        ? [leader('handover', { keys: 'H' })]
        : []),
    ...(has('CANCEL') ? [leader('withdraw')] : []),
    ...(has('APPROVE') ? [leader('approve', { intent: 'success', keys: 'A' })] : []),
    ...(has('REJECT') ? [leader('reject', { intent: 'danger', keys: 'R' })] : []),
    ...(worked && can(viewer, 'escalate') ? [own('escalate', 'X')] : []),
    ...(worked && can(viewer, 'ask') ? [own('ask', 'M')] : []),
    ...(worked ? [own('release', 'U')] : []),
    ...(has('ASSIGN') ? [leader('assign')] : []),
    ...(has('TAKE_OVER') ? [leader('takeOver', { intent: 'danger' })] : []),
    ...(has('RETRY') ? [leader('retry', { intent: 'primary' })] : []),
    ...(has('SEND_MANUAL') ? [leader('toQueue', { intent: 'primary' })] : []),
  ]
}

interface FooterProps {
  desk: Desk
  decision: Decision
  actions: readonly DeskAction[]
  /** null = the user has no right to claim. */
  autoClaim: boolean | null
  onAutoClaim: (on: boolean) => void
  onBack: () => void
}

export function DeskFooter({
  desk,
  decision,
  actions,
  autoClaim,
  onAutoClaim,
  onBack,
}: FooterProps): ReactNode {
  const t = useText('review')
  const { place, offline, known } = desk
  const { choice, rejectCode } = decision.draft
  const decides =
    place === 'deciding' || place === 'submitting' || place === 'opening' || place === 'lost'
  const frozen = place === 'lost' ? t('refused.lost') : offline
  const waits =
    frozen ??
    (place === 'opening' && hasOpenFailed(known)
      ? t('refused.opening')
      : choice === null
        ? t('decide.missing.choice')
        : null)
  const commitText =
    choice === null
      ? t('decide.commit')
      : choice === 'passed'
        ? t('decide.commitPass')
        : t('decide.commitReject', { code: rejectCode ?? '…' })
  return (
    <footer className="desk-footer">
      {decides && (
        <>
          <ActionButton
            text={t('result.passed')}
            keys="P"
            active={choice === 'passed'}
            disabledReason={frozen}
            onClick={() => decision.choose('passed')}
          />
          <ActionButton
            text={t('result.failed')}
            keys="R"
            active={choice === 'failed'}
            disabledReason={frozen}
            onClick={() => decision.choose('failed')}
          />
          <ActionButton
            className="desk-commit"
            intent={choice === 'failed' ? 'danger' : choice === 'passed' ? 'success' : 'primary'}
            text={commitText}
            keys="Ctrl+Enter"
            busy={place === 'submitting' || decision.isWaiting}
            disabledReason={waits}
            onClick={decision.commit}
          />
          {actions.length > 0 && <span className="desk-rule" />}
        </>
      )}
      {!decides && (
        <ActionButton icon="arrow-left" text={t('ui:detail.back')} keys="Esc" onClick={onBack} />
      )}
      {actions.map((action) => (
        <ActionButton
          key={action.id}
          text={t(`action.${action.id}`)}
          keys={action.keys}
          intent={action.intent}
          disabledReason={offline ?? (action.refusal ? t(`refused.${action.refusal}`) : null)}
          onClick={action.run}
        />
      ))}
      <span className="desk-gap" />
      {autoClaim !== null && (
        <label className="check desk-auto">
          <input
            type="checkbox"
            role="switch"
            checked={autoClaim}
            onChange={(event) => onAutoClaim(event.target.checked)}
          />
          {t('action.autoClaim')}
        </label>
      )}
    </footer>
  )
}
