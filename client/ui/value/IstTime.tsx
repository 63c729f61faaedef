import type { ReactNode } from 'react'
import { useLanguage } from '#client/base/use-text.ts'
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
  const language = useLanguage()
  const text = formatIst(value, style, language)
  if (!text) return <span>—</span>
  return (
    <time
      className="tabular"
      dateTime={value ?? undefined}
      title={style === 'day' ? undefined : istTip(value, language)}
    >
      {text}
    </time>
  )
}
