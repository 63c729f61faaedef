import { max } from 'd3'
import { useText } from '#client/base/use-text.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { formatPaiseShort } from '#shared/kernel/money.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import type { WallProfile } from '#shared/wall/wall-sets.ts'
import { wholePercent } from '#client/ui/value/value-text.ts'

type Line = BoardFigures['ranking'][number]
const MOST: Record<WallProfile, number> = { near: 9, mid: 7, far: 3 }

/**
 * Agencies, or the groups of a unit, by today's recoveries; beside them the first people, as
 * initials.
 */
export function TeamsScene({ figures, profile }: { figures: BoardFigures; profile: WallProfile }) {
  const t = useText('wall')
  const { ranking } = figures
  const agencies = ranking.filter((line) => line.kind === 'agency')
  const groups = ranking.filter((line) => line.kind === 'group')
  // with few agencies there is room for their groups
  const teams = (
    agencies.length >= MOST[profile] || groups.length === 0
      ? agencies
      : agencies.length === 0
        ? groups
        : [...agencies, ...groups.slice(0, MOST[profile] - agencies.length)]
  ).slice(0, MOST[profile])
  const people =
    profile === 'far'
      ? []
      : ranking.filter((line) => line.kind === 'collector').slice(0, MOST[profile])
  const most = Math.max(
    1,
    max(teams, (line) => line.target ?? line.recovered) ?? 1,
    max(teams, (line) => line.recovered) ?? 1,
  )
  return (
    <div className={people.length > 0 ? 'teams has-people' : 'teams'}>
      {teams.length === 0 && people.length === 0 ? (
        <p className="nothing">{t('teams.none')}</p>
      ) : null}
      {teams.length > 0 ? (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('teams.team')}</th>
              <th scope="col">{t('teams.duty')}</th>
              <th scope="col">{t('teams.contacted')}</th>
              <th scope="col">{t('teams.collected')}</th>
            </tr>
          </thead>
          <tbody>
            {teams.map((line) => (
              <TeamLine key={`${line.kind}:${line.id}`} line={line} most={most} />
            ))}
          </tbody>
        </table>
      ) : null}
      {people.length > 0 ? (
        <ol className="people" aria-label={t('teams.people')}>
          <li className="people-head">{t('teams.people')}</li>
          {people.map((line) => (
            <li key={line.id}>
              <span className="rank">{line.recovered > 0 ? line.rank : '—'}</span>
              <b>{line.name}</b>
              <span>{formatPaiseShort(line.recovered)}</span>
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  )
}

/** The bar is the amount received, the mark its target; lengths are relative to the largest. */
function TeamLine({ line, most }: { line: Line; most: number }) {
  const reached = line.target !== null && line.target > 0 && line.recovered >= line.target
  return (
    <tr className={`is-${line.kind}`}>
      <th scope="row">
        <span>{line.name}</span>
        <span className="meter" aria-hidden>
          <i
            className={reached ? 'is-reached' : ''}
            style={{ width: `${Math.min(100, (line.recovered / most) * 100)}%` }}
          />
          {line.target !== null && line.target > 0 ? (
            <em style={{ left: `${Math.min(100, (line.target / most) * 100)}%` }} />
          ) : null}
        </span>
      </th>
      <td>{formatCount(line.onDuty)}</td>
      <td>{wholePercent(line.contactRate)}</td>
      <td>
        {reached ? '▲ ' : ''}
        {formatPaiseShort(line.recovered)}
      </td>
    </tr>
  )
}
