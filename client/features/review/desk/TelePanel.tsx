/** Verification call: dial within the calling hours, then record the outcome. */
import { useText } from '#client/base/use-text.ts'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { call } from '#client/session/call.ts'
import { messageOf } from '#client/session/call-error.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { istClock } from '#shared/kernel/time.ts'
import { teleReview } from '#shared/review/review-api.ts'
import {
  MAX_TELE_ATTEMPTS_PER_DAY,
  TELE_WINDOW,
  teleLifecycle,
} from '#shared/review/tele-lifecycle.ts'
import type { ReviewDetail } from '../review-types.ts'
import { teleTone } from '../review-words.ts'
import { Fact, Folded } from './DeskSection.tsx'
import type { Desk } from './use-desk.ts'

/** Questions of every call; empty answers are not sent. */
export const TELE_QUESTIONS = ['identity', 'employer', 'income', 'purpose', 'contacts'] as const
/** No answer, busy, wrong number, switched off. */
const NOT_REACHED = [3, 4, 5, 6] as const

type Sent = Pick<
  Parameters<typeof call<typeof teleReview>>[1],
  'callState' | 'contactResult' | 'answers' | 'remark' | 'borrowerAgreed'
>

export function TelePanel({
  detail,
  desk,
  canCall,
}: {
  detail: ReviewDetail
  desk: Desk
  canCall: boolean
}): ReactNode {
  const t = useText('review')
  const [agreed, setAgreed] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const { review } = detail
  const clock = istClock(serverNow())
  const outside = clock < TELE_WINDOW.from || clock >= TELE_WINDOW.to
  const isDemanded = review.demands.includes('call') && review.teleCallState !== 'connected'
  const active = canCall && desk.place === 'deciding'
  const mayDial = teleLifecycle.allowed(review.teleCallState).includes('DIAL')
  const refused =
    desk.offline ??
    (outside && !agreed
      ? t('tele.outside', TELE_WINDOW)
      : review.teleCallState === 'notConnected' && review.teleAttempts >= MAX_TELE_ATTEMPTS_PER_DAY
        ? t('tele.spent', { max: MAX_TELE_ATTEMPTS_PER_DAY })
        : null)

  async function send(more: Sent): Promise<void> {
    setFault(null)
    try {
      desk.take(
        await call(
          teleReview,
          { reviewId: review.reviewId, token: desk.known.token, ...more },
          { quiet: true },
        ),
      )
    } catch (error) {
      desk.takeRefusal(error)
      setFault(messageOf(error))
    }
  }
  return (
    <Folded
      title={t('section.tele')}
      open={review.teleCallState === 'executing' || isDemanded || undefined}
      summary={
        <StatusTag tone={teleTone(review.teleCallState)}>
          {t(`tele.${review.teleCallState}`)}
        </StatusTag>
      }
    >
      {isDemanded && (
        <p className="desk-line">
          <StatusTag tone="warn">{t('demand.call')}</StatusTag> {t('demand.callMeans')}
        </p>
      )}
      <p className="desk-line desk-muted">
        {t('tele.hours', TELE_WINDOW)} ·{' '}
        {t('tele.attempts', { count: review.teleAttempts, max: MAX_TELE_ATTEMPTS_PER_DAY })}
      </p>
      {review.teleAnswers && (
        <dl className="desk-facts">
          {Object.entries(review.teleAnswers).map(([question, answer]) => (
            <Fact key={question} label={t(`question.${question}`, { defaultValue: question })}>
              {answer}
            </Fact>
          ))}
        </dl>
      )}
      {active && mayDial && (
        <div className="tele-dial">
          {outside && (
            <label className="check">
              <input
                type="checkbox"
                checked={agreed}
                onChange={(event) => setAgreed(event.target.checked)}
              />
              {t('tele.agreed')}
            </label>
          )}
          <ActionButton
            icon="phone"
            text={t('tele.dial')}
            disabledReason={refused}
            onClick={() =>
              send({ callState: 'executing', ...(agreed ? { borrowerAgreed: true } : {}) })
            }
          />
        </div>
      )}
      {active && review.teleCallState === 'executing' && (
        <CallResult onSend={send} refused={desk.offline} />
      )}
      {fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </Folded>
  )
}

function CallResult({
  onSend,
  refused,
}: {
  onSend: (sent: Sent) => Promise<void>
  refused: string | null
}): ReactNode {
  const t = useText('review')
  const id = useId()
  const [answers, setAnswers] = useState<Record<string, string>>({})
  const [result, setResult] = useState('')
  const given = Object.fromEntries(
    Object.entries(answers).filter(([, answer]) => answer.trim() !== ''),
  )
  const submit = (event: FormEvent) => event.preventDefault()
  return (
    <form className="tele-result" onSubmit={submit}>
      {TELE_QUESTIONS.map((question) => (
        <label key={question} htmlFor={`${id}-${question}`}>
          <span>{t(`question.${question}`)}</span>
          <input
            id={`${id}-${question}`}
            className="bp6-input"
            maxLength={300}
            autoComplete="off"
            value={answers[question] ?? ''}
            onChange={(event) => setAnswers({ ...answers, [question]: event.target.value })}
          />
        </label>
      ))}
      <ActionButton
        intent="success"
        icon="tick"
        text={t('tele.answered')}
        disabledReason={refused ?? (Object.keys(given).length === 0 ? t('tele.needsAnswer') : null)}
        onClick={() => onSend({ callState: 'connected', answers: given })}
      />
      <label htmlFor={`${id}-result`}>
        <span>{t('tele.noAnswer')}</span>
        <span className="bp6-html-select field-select">
          <select
            id={`${id}-result`}
            value={result}
            onChange={(event) => setResult(event.target.value)}
          >
            <option value="">{t('ui:form.choose')}</option>
            {NOT_REACHED.map((code) => (
              <option key={code} value={code}>
                {t(`contactResult.${code}`)}
              </option>
            ))}
          </select>
          <span className="field-caret" aria-hidden="true" />
        </span>
      </label>
      <ActionButton
        icon="cross"
        text={t('tele.notReached')}
        disabledReason={refused ?? (result === '' ? t('tele.needsResult') : null)}
        onClick={() => onSend({ callState: 'notConnected', contactResult: Number(result) })}
      />
    </form>
  )
}
