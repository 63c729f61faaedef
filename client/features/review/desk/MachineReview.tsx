/** The report of the machine: score, limit, and the rules that were hit or could not be evaluated. */
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { ruleName, ruleOutput } from '#client/features/rules/public.ts'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { durationText } from '#client/ui/value/duration-text.ts'
import type { ReviewDetail } from '../review-types.ts'
import { machineTone } from '../review-words.ts'
import { Section } from './DeskSection.tsx'

export function MachineReview({
  detail: { machine, review },
}: {
  detail: ReviewDetail
}): ReactNode {
  const t = useText('review', 'rules', 'conditions')
  const hits = machine?.rules.filter((rule) => rule.hit) ?? []
  const unknown = machine?.rules.filter((rule) => rule.notEvaluated) ?? []
  return (
    <Section
      title={t('section.machine')}
      aside={
        review.machineState ? (
          <StatusTag tone={machineTone(review.machineState)}>
            {t(`machine.${review.machineState}`, { defaultValue: review.machineState })}
          </StatusTag>
        ) : null
      }
    >
      <p className="desk-line">
        {machine?.score != null && (
          <>
            {t('machine.score')} <b className="tabular">{machine.score}</b> ·{' '}
          </>
        )}
        {machine?.limit != null && (
          <>
            {t('machine.limit')}{' '}
            <b>
              <Money paise={machine.limit} />
            </b>{' '}
            ·{' '}
          </>
        )}
        {review.machineTime && (
          <span className="desk-muted">
            <IstTime value={review.machineTime} />
            {review.machineIntervalSec === null
              ? null
              : ` (${durationText(review.machineIntervalSec * 1_000, t)})`}
          </span>
        )}
      </p>
      <p className="desk-line desk-muted">
        {t('col.machineId')} <span className="tabular">{review.machineId ?? '—'}</span> ·{' '}
        {t('col.needManual')} <b>{t(review.needManual ? 'ui:yes' : 'ui:no')}</b>
      </p>
      {hits.length > 0 ? (
        <ul className="rule-hits">
          {hits.map((rule) => (
            <li key={rule.code}>
              <b>{rule.code}</b> {ruleName(t, rule.code, rule.name)}
              {rule.output && <span className="desk-muted"> {ruleOutput(t, rule.output)}</span>}
            </li>
          ))}
        </ul>
      ) : (
        <p className="desk-line desk-muted">{t('machine.noHits')}</p>
      )}
      {unknown.length > 0 && (
        <ul className="rule-hits">
          {unknown.map((rule) => (
            <li key={rule.code}>
              <b>{rule.code}</b> {ruleName(t, rule.code, rule.name)}
              <span className="desk-muted">
                {' '}
                {t('machine.notEvaluated', { cause: t(`conditions:cause.${rule.notEvaluated}`) })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
