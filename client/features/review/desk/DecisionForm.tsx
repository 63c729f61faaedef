/**
 * Pass, or reject with a reason: selected by key and submitted with Ctrl+Enter. Two steps prevent
 * accidental decisions.
 */
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Section } from './DeskSection.tsx'
import { ReasonTree } from './ReasonTree.tsx'
import type { Decision } from './use-decision.ts'
import type { Desk } from './use-desk.ts'

export function DecisionForm({ desk, decision }: { desk: Desk; decision: Decision }): ReactNode {
  const t = useText('review')
  const id = useId()
  const remark = useRef<HTMLTextAreaElement>(null)
  const { draft, fault, faultAt } = decision
  // the selection may be made while the item opens; only submitting waits
  const frozen = desk.place !== 'deciding' && desk.place !== 'opening'
  useEffect(() => {
    if (faultAt === 'remark') remark.current?.focus()
  }, [faultAt])
  return (
    <Section title={t('section.decision')}>
      <div
        role="radiogroup"
        aria-label={t('section.decision')}
        className="choices"
        aria-invalid={faultAt === 'choice' || undefined}
      >
        <button
          type="button"
          role="radio"
          aria-checked={draft.choice === 'passed'}
          disabled={frozen}
          className="choice choice-pass"
          onClick={() => decision.choose('passed')}
        >
          <kbd>P</kbd> {t('result.passed')}
        </button>
        <button
          type="button"
          role="radio"
          aria-checked={draft.choice === 'failed'}
          disabled={frozen}
          className="choice choice-reject"
          onClick={() => decision.choose('failed')}
        >
          <kbd>R</kbd> {t('result.failed')}
        </button>
      </div>
      {draft.choice === 'failed' && (
        <ReasonTree
          value={draft.rejectCode}
          disabled={frozen}
          isFault={faultAt === 'reason'}
          onChoose={decision.chooseReason}
        />
      )}
      <label className="desk-label" htmlFor={`${id}-remark`}>
        {t('decide.remark')}
        {draft.rejectCode === 'Z01' && <span aria-hidden="true"> *</span>}
      </label>
      <textarea
        ref={remark}
        id={`${id}-remark`}
        className="bp6-input"
        rows={2}
        maxLength={500}
        value={draft.remark}
        readOnly={frozen}
        aria-required={draft.rejectCode === 'Z01' || undefined}
        aria-invalid={faultAt === 'remark' || undefined}
        aria-describedby={`${id}-fault`}
        onChange={(event) => decision.change({ remark: event.target.value })}
      />
      <p id={`${id}-fault`} className="fault" role={fault ? 'alert' : undefined}>
        {fault}
      </p>
    </Section>
  )
}
