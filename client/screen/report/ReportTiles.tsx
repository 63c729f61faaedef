import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type Text, useText } from '#client/base/use-text.ts'
import { valueText } from '#client/ui/value/value-text.ts'
import type { ReportTile } from './report-types.ts'

/** Figures of the running day in a row; each leads to the rows it counts. */
export function ReportTiles({
  label,
  tiles,
}: {
  label: string
  tiles: readonly ReportTile[]
}): ReactNode {
  const t = useText('ui')
  return (
    <section className="report-tiles" aria-label={label}>
      <h2>{label}</h2>
      <ul>
        {tiles.map((tile) => (
          <li key={tile.label} title={tile.help}>
            <span className="report-tile-name">{tile.label}</span>
            <strong>
              {tile.href === undefined || tile.href === null ? (
                tileText(tile, t)
              ) : (
                <Link href={tile.href} aria-label={`${tile.label}: ${tileText(tile, t)}`}>
                  {tileText(tile, t)}
                </Link>
              )}
            </strong>
            {tile.hint === undefined ? null : <small>{tile.hint}</small>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function tileText({ value, format }: ReportTile, t: Text): string {
  return valueText(value, format, t)
}
