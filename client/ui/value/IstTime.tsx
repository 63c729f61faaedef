import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatIst, istTip, type TimeStyle } from './ist-format.ts'

/**
 * An instant or IST day in India time and the user's language; the tooltip shows the exact instant.
 */
export function IstTime({
  value,
  style = 'dayTime',
}: {
  value: string | null | undefined
  style?: TimeStyle
}): ReactNode {
  const { i18n } = useTranslation('ui')
  const text = formatIst(value, style, i18n.language)
  if (!text) return <span>—</span>
  return (
    <time
      className="tabular"
      dateTime={value ?? undefined}
      title={style === 'day' ? undefined : istTip(value, i18n.language)}
    >
      {text}
    </time>
  )
}
