/** State of a call that the exchange rings, with its running length. */
import type { ReactNode } from 'react'
import type { Static } from 'typebox'
import { useText } from '#client/base/use-text.ts'
import { useSecond } from '#client/ui/value/clock.ts'
import { formatClock } from '#client/ui/value/ist-format.ts'
import type { EndCause } from '#shared/voice-calls/voice-call-sets.ts'
import type { VoiceCallNow } from '#shared/voice-calls/voice-calls-api.ts'

export function CallState({ call }: { call: Static<typeof VoiceCallNow> }): ReactNode {
  const t = useText('calls')
  const { state, answeredTime, durationSec, endCause } = call
  if (state === 'answered') return <Answered since={answeredTime} />
  if (state === 'ended') return <CallEnd endCause={endCause ?? 'lost'} durationSec={durationSec} />
  return (
    <span>{t(state === 'waiting' || state === 'dialling' ? 'state.rings' : `state.${state}`)}</span>
  )
}

export function CallEnd({
  endCause,
  durationSec,
}: {
  endCause: EndCause
  durationSec: number | null
}): ReactNode {
  const t = useText('calls')
  return (
    <span className="tabular">
      {endCause === 'completed' && durationSec !== null
        ? t('state.ended', { time: formatClock(durationSec * 1_000) })
        : t('state.endedBecause', { cause: t(`endCause.${endCause}`) })}
    </span>
  )
}

/** Screen readers announce that it was answered, and not each second. */
function Answered({ since }: { since: string | null }): ReactNode {
  const t = useText('calls')
  const second = useSecond()
  const time = since === null ? '' : formatClock(second - Date.parse(since))
  return (
    <span className="tabular" aria-live="off">
      {t('state.answered', { time })}
    </span>
  )
}
