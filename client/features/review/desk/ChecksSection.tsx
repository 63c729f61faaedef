import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { ReviewDetail } from '../review-types.ts'
import { Fact, Section } from './DeskSection.tsx'

type Check = ReviewDetail['checks'][number]

/** Results of third-party checks of the applicant, made before the machine review. */
export function ChecksSection({ checks }: { checks: readonly Check[] }): ReactNode {
  const t = useText('review')
  if (checks.length === 0) return null
  return (
    <Section title={t('section.checks')}>
      <dl className="desk-facts">
        {checks.map((check) => (
          <Fact key={check.kind} label={t(`check.${check.kind}`)}>
            <Answer check={check} />{' '}
            <span className="desk-muted">
              {check.vendorName} <IstTime value={check.time} />
            </span>
          </Fact>
        ))}
        {checks.map(
          ({ bureau }) =>
            bureau && (
              <Fact key="loans" label={t('check.loans')}>
                {bureau.openLoans}
              </Fact>
            ),
        )}
        {checks.map(
          ({ bureau }) =>
            bureau && (
              <Fact key="overdue" label={t('check.overdue')}>
                <Money paise={bureau.overdueAmount} />
              </Fact>
            ),
        )}
      </dl>
    </Section>
  )
}

function Answer({ check: { state, identity, bureau } }: { check: Check }): ReactNode {
  const t = useText('review')
  if (state !== 'done') return <span className="differs">{t(`check.${state}`)}</span>
  if (identity)
    return identity.panValid ? (
      t('check.panValid', { match: identity.nameMatch })
    ) : (
      <b className="differs">{t('check.panInvalid')}</b>
    )
  return bureau?.score === null || bureau === null
    ? t('check.unknown')
    : t('check.score', { score: bureau.score })
}
