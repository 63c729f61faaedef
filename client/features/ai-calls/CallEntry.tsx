/** One call of the robot: its end, the promise, and the transcript. */
import './ai-calls.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { formatClock } from '#client/ui/value/ist-format.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { RESULT_TONES } from './ai-columns.ts'
import type { AiCall } from './ai-types.ts'

export function CallEntry({ call }: { call: AiCall }): ReactNode {
  const t = useText('robot')
  return (
    <li>
      <p className="ai-head">
        <strong>{t('callNo', { n: call.no })}</strong>
        {call.result === null ? (
          <StatusTag tone="info">{t(`callState.${call.state}`)}</StatusTag>
        ) : (
          <StatusTag tone={RESULT_TONES[call.result]}>{t(`result.${call.result}`)}</StatusTag>
        )}
        <IstTime value={call.startTime} />
        {call.durationSec !== null && <span>{formatClock(call.durationSec * 1_000)}</span>}
        {call.lineNumber && <span>{t('fromLine', { number: call.lineNumber })}</span>}
      </p>
      {call.promiseAmount !== null && call.promiseDay !== null && (
        <p>
          {t('promised')} <Money paise={call.promiseAmount} /> · {call.promiseDay}
        </p>
      )}
      {call.transcript.length > 0 && (
        <dl className="ai-said">
          {call.transcript.map((line, n) => (
            <div key={n}>
              <dt>{t(`by.${line.by}`)}</dt>
              <dd>{line.text}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}
