import type { CSSProperties, ReactNode } from 'react'
import type { Level } from '../tile-level.ts'

const SIGN: Record<Level, string> = { none: '', good: '▲', warn: '▼', bad: '⚠' }

/** One large figure. Its level is a colour and a sign, never the colour alone. */
export function Tile({
  label,
  value,
  sub,
  level = 'none',
  wide = false,
}: {
  label: string
  value: string
  sub?: string | undefined
  level?: Level
  wide?: boolean
}): ReactNode {
  return (
    <section
      className={`tile is-${level}${wide ? ' is-wide' : ''}`}
      style={{ '--chars': [...value].length } as CSSProperties}
    >
      <h2>{label}</h2>
      <p className="tile-value">{value}</p>
      <p className="tile-sub">
        {[SIGN[level], sub ?? ''].filter((part) => part !== '').join(' ') || '\u00A0'}
      </p>
    </section>
  )
}
