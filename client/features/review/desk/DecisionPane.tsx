/** The right pane: machine report, decision, call, checks before and after, history. */
import { type Text, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { actorLabel } from '#client/session/actor-label.ts'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Timeline } from '#client/ui/value/Timeline.tsx'
import type { ReviewDetail, Viewer } from '../review-types.ts'
import { resultTone } from '../review-words.ts'
import { Checklist } from './Checklist.tsx'
import { DecisionForm } from './DecisionForm.tsx'
import { Fact, Folded, Section } from './DeskSection.tsx'
import { MachineReview } from './MachineReview.tsx'
import { QualityPanel } from './QualityPanel.tsx'
import { TelePanel } from './TelePanel.tsx'
import type { Decision } from './use-decision.ts'
import type { Desk } from './use-desk.ts'
import { wholePercent } from '#client/ui/value/value-text.ts'

export function DecisionPane({
  detail,
  desk,
  decision,
  viewer,
}: {
  detail: ReviewDetail
  desk: Desk
  decision: Decision
  viewer: Viewer
}): ReactNode {
  const t = useText('review')
  const { review, allowed } = detail
  const decides =
    desk.place === 'deciding' ||
    desk.place === 'submitting' ||
    desk.place === 'opening' ||
    desk.place === 'lost'
  return (
    <section
      className="desk-decision"
      aria-label={t('pane.decision')}
      data-frozen={desk.place === 'lost' || undefined}
    >
      <h2 className="visually-hidden">{t('pane.decision')}</h2>
      <MachineReview detail={detail} />
      {review.manualResult && (
        <Section title={t('section.result')}>
          <p className="desk-line">
            <StatusTag tone={resultTone(review.manualResult)}>
              {t(`result.${review.manualResult}`)}
            </StatusTag>{' '}
            {review.rejectCode ? `${review.rejectCode} ${t(`reject.${review.rejectCode}`)}` : null}{' '}
            <span className="desk-muted">{review.reviewerName}</span>
          </p>
          {review.remark && <blockquote className="review-quote">{review.remark}</blockquote>}
        </Section>
      )}
      {review.manualResult && <QualityPanel detail={detail} desk={desk} viewer={viewer} />}
      {decides && <DecisionForm desk={desk} decision={decision} />}
      {(decides || review.checklist) && (
        <Checklist
          isDemanded={review.demands.includes('identity')}
          value={decides ? decision.draft.checklist : (review.checklist ?? {})}
          onChange={
            desk.place === 'deciding' || desk.place === 'opening'
              ? (checklist) => decision.change({ checklist })
              : null
          }
        />
      )}
      {review.handoverState === 'pending' && (
        <Section title={t('section.handover')}>
          <p className="desk-line">
            {t('handover.line', { from: review.handoverFrom ?? '', to: review.handoverTo ?? '' })}
          </p>
          {review.handoverReason && (
            <blockquote className="review-quote">{review.handoverReason}</blockquote>
          )}
        </Section>
      )}
      {review.dataItems && review.state === 'dataModifiable' && (
        <Section title={t('section.asked')}>
          <p className="desk-line">
            {review.dataItems.map((item) => t(`item.${item}`, { defaultValue: item })).join(' · ')}
          </p>
          {review.dataMessage && (
            <blockquote className="review-quote">{review.dataMessage}</blockquote>
          )}
          <p className="desk-line desk-muted">
            {t('ask.until')} <IstTime value={review.dataUntil} />
          </p>
        </Section>
      )}
      <TelePanel
        detail={detail}
        desk={desk}
        canCall={allowed.includes('DIAL') || allowed.includes('ANSWERED')}
      />
      <PreTransaction detail={detail} />
      <Folded
        title={t('section.history')}
        summary={<span className="desk-muted tabular">{detail.history.length}</span>}
      >
        <Timeline
          label={t('section.history')}
          items={detail.history.toReversed().map((step, i) => ({
            id: `${step.time} ${i}`,
            at: step.time,
            actor: step.by === null ? null : actorLabel(step.by),
            title: t(`event.${step.event}`, { defaultValue: step.event }),
            detail: step.note ?? undefined,
          }))}
        />
      </Folded>
    </section>
  )
}

function PreTransaction({
  detail: { review, nameSimilarityMin },
}: {
  detail: ReviewDetail
}): ReactNode {
  const t = useText('review')
  const low = review.nameSimilarity !== null && review.nameSimilarity < nameSimilarityMin
  return (
    <Folded
      title={t('section.preTransaction')}
      summary={
        <StatusTag tone={review.preRejectCode || review.quotaReject ? 'bad' : 'neutral'}>
          {review.preRejectCode
            ? preReject(t, review.preRejectCode)
            : review.quotaReject
              ? t('col.quotaReject')
              : t('pre.nothing')}
        </StatusTag>
      }
    >
      <dl className="desk-facts">
        <Fact label={t('col.preRejectCode')}>
          {review.preRejectCode && preReject(t, review.preRejectCode)}
        </Fact>
        <Fact label={t('col.quotaReject')}>{t(review.quotaReject ? 'ui:yes' : 'ui:no')}</Fact>
        <Fact label={t('col.bindState')}>
          {review.bindState && t(`bind.${review.bindState}`, { defaultValue: review.bindState })}
        </Fact>
        <Fact label={t('col.nameSimilarity')}>
          {review.nameSimilarity === null ? null : (
            <b className={low ? 'differs' : ''}>{wholePercent(review.nameSimilarity)}</b>
          )}
        </Fact>
      </dl>
    </Folded>
  )
}

/** A code of the pre-disbursement checks, or a reject reason. */
function preReject(t: Text, code: string): string {
  return t(`pre.${code}`, { defaultValue: t(`reject.${code}`, { defaultValue: code }) })
}
