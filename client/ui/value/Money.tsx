import type { ReactNode } from 'react'
import { formatPaise, formatPaiseShort } from '#shared/kernel/money.ts'

/**
 * Paise as ₹ with Indian grouping, the same in every language; `short` for tiles (₹1.82 L), with
 * the exact amount in the tooltip.
 */
export function Money({
  paise,
  short = false,
}: {
  paise: number | bigint | null | undefined
  short?: boolean
}): ReactNode {
  if (paise === null || paise === undefined) return <span className="tabular">—</span>
  const exact = formatPaise(paise)
  return (
    <span className="tabular" title={short ? exact : undefined}>
      {short ? formatPaiseShort(paise) : exact}
    </span>
  )
}
