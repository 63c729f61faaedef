import { useLanguage, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useSecond } from '#client/ui/value/clock.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { StatusTag, type Tone } from '#client/ui/value/StatusTag.tsx'
import type { SlaTone } from './sla.ts'
import { slaText } from './sla-words.ts'
import type { TicketRow } from './ticket-types.ts'

const TONES: Record<SlaTone, Tone> = { calm: 'neutral', warn: 'warn', bad: 'bad' }

/** The clock that runs, the time left in words and its urgency as a colour. */
export function SlaClock({ row }: { row: TicketRow }): ReactNode {
  const t = useText('tickets')
  const language = useLanguage()
  const clock = slaText(row, t, useSecond())
  if (clock === null) return null
  const what = t(row.firstReplyTime === null ? 'sla.reply' : 'sla.answer')
  return (
    <StatusTag
      tone={TONES[clock.tone]}
      title={`${t('col.dueTime')}: ${formatIst(row.dueTime, 'dayTime', language)}`}
    >
      {t('sla.clock', { what, time: clock.text })}
    </StatusTag>
  )
}
