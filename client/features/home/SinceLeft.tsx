/** What came while the person was away. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { formatCount, formatNear } from '#client/ui/value/ist-format.ts'
import { Money } from '#client/ui/value/Money.tsx'
import type { workDay } from '#shared/home/day-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'

type Since = NonNullable<DataOf<typeof workDay>['since']>

export function SinceLeft({ since: { time, arrivals } }: { since: Since }): ReactNode {
  const t = useText('home')
  const language = useLanguage()
  return (
    <section>
      <h2>{t('desk.since', { time: formatNear(time, language) })}</h2>
      {arrivals.length === 0 ? (
        <p className="home-none">{t('since.none')}</p>
      ) : (
        <ul className="since-list">
          {arrivals.map(({ key, count, amount, target }) => (
            <li key={key}>
              <Link href={target}>
                <span>{t(`since.${key}`)}</span>
                <span className="since-count tabular">
                  {formatCount(count)}
                  {amount === null ? null : (
                    <>
                      {' · '}
                      <Money paise={amount} />
                    </>
                  )}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
