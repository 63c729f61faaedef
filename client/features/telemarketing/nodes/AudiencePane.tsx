import { Icon } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { queryOf } from '#client/session/query.ts'
import { failureText } from '#client/ui/feedback/failure.ts'
import { Money } from '#client/ui/value/Money.tsx'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import { nodeAudience } from '#shared/telemarketing/node-api.ts'
import type { AudienceCount, Who } from './node-types.ts'

/** After the last change. */
const WAIT_MS = 500

/** How many a node would take now, counted again with every change; null = not complete yet. */
export function AudiencePane({ who }: { who: Who | null }): ReactNode {
  const t = useText('telemarketing')
  const settled = useSettled(who)
  const { data, error, isFetching } = useQuery({
    ...queryOf(nodeAudience, settled ?? ({} as Who), { quiet: true }),
    enabled: settled !== null,
    // the numbers before stay until the new ones are there
    placeholderData: (before: AudienceCount | undefined) => before,
  })
  const isStale = isFetching || who !== settled
  return (
    <section
      className={`node-audience${isStale && who !== null ? ' is-stale' : ''}`}
      aria-label={t('node.audience')}
      aria-live="polite"
      aria-busy={isStale && who !== null}
    >
      {who === null ? (
        <p>{t('node.notReady')}</p>
      ) : error ? (
        <p className="fault">{failureText(error)}</p>
      ) : data ? (
        <AudienceNumbers count={data} />
      ) : (
        <p>{t('node.counting')}</p>
      )}
    </section>
  )
}

export function AudienceNumbers({ count }: { count: AudienceCount }): ReactNode {
  const t = useText('telemarketing')
  const { matched, taken, heldOut, excluded, coupon } = count
  return (
    <>
      <p className="node-numbers">
        <span>
          {t('node.count.matched')} <strong className="tabular">{formatCount(matched)}</strong>
        </span>
        <span>
          {t('node.count.contacted')}{' '}
          <strong className="tabular">{formatCount(taken - heldOut)}</strong>
        </span>
        <span>
          {t('node.count.heldOut')} <strong className="tabular">{formatCount(heldOut)}</strong>
        </span>
      </p>
      {excluded.length > 0 && (
        <ul className="node-excluded">
          {excluded.map(({ why, n }) => (
            <li key={why}>
              {t(`node.why.${why}`)} <span className="tabular">{formatCount(n)}</span>
            </li>
          ))}
        </ul>
      )}
      {coupon !== null && <CouponNumbers coupon={coupon} />}
    </>
  )
}

function CouponNumbers({ coupon }: { coupon: NonNullable<AudienceCount['coupon']> }): ReactNode {
  const t = useText('telemarketing')
  const { given, isExact, without, worth, left, budget, isNearBudget } = coupon
  const isSpent = without.some(({ why }) => why === 'budget')
  return (
    <>
      <p className="node-numbers">
        <span>
          {t(isExact ? 'node.count.coupons' : 'node.count.couponsMost')}{' '}
          <strong className="tabular">{formatCount(given)}</strong>
        </span>
        {worth !== null && (
          <span>
            {t('node.count.worth')} <Money paise={worth} />
          </span>
        )}
        {left !== null && (
          <span>
            {t('node.count.left')} <Money paise={left} />
          </span>
        )}
      </p>
      {without.length > 0 && (
        <ul className="node-excluded">
          {without.map(({ why, n }) => (
            <li key={why}>
              {t(`node.noCoupon.${why}`)} <span className="tabular">{formatCount(n)}</span>
            </li>
          ))}
        </ul>
      )}
      {isNearBudget && budget !== null && (
        <p className="node-warning" role="status">
          <Icon icon="warning-sign" />{' '}
          {t(isSpent ? 'node.budgetSpent' : 'node.budgetNear', {
            share: formatBasisPoints(
              Math.floor(((budget - (left ?? 0) + (worth ?? 0)) * 10_000) / budget),
            ),
            budget: formatPaise(budget),
          })}
        </p>
      )}
    </>
  )
}

/** The value once it has not changed for a moment. */
function useSettled(who: Who | null): Who | null {
  const [settled, setSettled] = useState(who)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(who), WAIT_MS)
    return () => clearTimeout(timer)
  }, [who])
  return settled
}
