import { type ReactNode, useId } from 'react'

/** A section of a pane with its heading. */
export function Section({
  title,
  aside,
  children,
  className = '',
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
  className?: string
}): ReactNode {
  const id = useId()
  return (
    <section className={`desk-section ${className}`} aria-labelledby={id}>
      <div className="desk-section-head">
        <h3 id={id}>{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** A collapsible section; `summary` describes its contents. */
export function Folded({
  title,
  summary,
  open,
  children,
}: {
  title: string
  summary?: ReactNode
  open?: boolean
  children: ReactNode
}): ReactNode {
  return (
    <details className="desk-section desk-folded" open={open}>
      <summary>
        <h3>{title}</h3>
        {summary}
      </summary>
      {children}
    </details>
  )
}

/** Missing values are omitted. */
export function Fact({ label, children }: { label: string; children: ReactNode }): ReactNode {
  if (children === null || children === undefined || children === '') return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
