import './detail.css'
import type { ReactNode } from 'react'

/** A row of figures: each with its name above it. */
export function Figures({
  className,
  children,
}: {
  className?: string
  children: ReactNode
}): ReactNode {
  return <dl className={`detail-figures ${className ?? ''}`}>{children}</dl>
}

export function Figure({
  label,
  strong = false,
  children,
}: {
  label: string
  strong?: boolean
  children: ReactNode
}): ReactNode {
  return (
    <div className={strong ? 'is-strong' : undefined}>
      <dt>{label}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  )
}
