import type { ReactNode } from 'react'
import { useSecond } from '#client/ui/clock.ts'
import { formatIst } from '#client/ui/ist-format.ts'
import { StatusTag, type Tone } from '#client/ui/StatusTag.tsx'
import { useTranslation } from 'react-i18next'
import type { SlaTone } from './sla.ts'
import { slaText } from './sla-words.ts'
import type { TicketRow } from './ticket-types.ts'
import { useSay } from './use-say.ts'

const TONES: Record<SlaTone, Tone> = { calm: 'neutral', warn: 'warn', bad: 'bad' }

/** Which clock runs, how much of it is left in words, and in colour how pressing that is. */
export function SlaClock({ row }: { row: TicketRow }): ReactNode {
  const t = useSay()
  const { i18n } = useTranslation()
  const clock = slaText(row, t, useSecond())
  if (clock === null) return null
  const what = t(row.firstReplyTime === null ? 'sla.reply' : 'sla.answer')
  return (
    <StatusTag
      tone={TONES[clock.tone]}
      title={`${t('col.dueTime')}: ${formatIst(row.dueTime, 'dayTime', i18n.language)}`}
    >
      {t('sla.clock', { what, time: clock.text })}
    </StatusTag>
  )
}
