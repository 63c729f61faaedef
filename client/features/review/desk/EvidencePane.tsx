/** What the customer stated beside what the documents show, and other known facts. */
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { call } from '#client/session/call.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Masked } from '#client/ui/value/Masked.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { type REVEAL_FIELDS, revealField } from '#shared/customers/reveal-api.ts'
import { can, type ReviewDetail, type Viewer } from '../review-types.ts'
import { resultTone, stateTone } from '../review-words.ts'
import { ChecksSection } from './ChecksSection.tsx'
import { CompareTable } from './CompareTable.tsx'
import { compareRows, differencesFirst } from './compare-rows.ts'
import { Fact, Section } from './DeskSection.tsx'
import { wholePercent } from '#client/ui/value/value-text.ts'
import { reviewPath } from '#shared/review/review-path.ts'

export function EvidencePane({
  detail,
  viewer,
}: {
  detail: ReviewDetail
  viewer: Viewer
}): ReactNode {
  const t = useText('review')
  const [differs, setDiffers] = useState(false)
  useShortcuts('screen', [
    {
      id: 'differences',
      code: 'KeyD',
      labelKey: 'review:key.differences',
      run: () => setDiffers((on) => !on),
    },
  ])
  const { customer, review, previous } = detail
  const { basic, bankCard, contact, credit, device, orders } = customer
  const rows = compareRows(customer)
  const similarity = bankCard?.nameSimilarity ?? review.nameSimilarity
  const mayReveal = can(viewer, 'reveal')
  const reveal = (field: (typeof REVEAL_FIELDS)[number], contactId?: string) =>
    mayReveal
      ? async (reason: string) =>
          (
            await call(
              revealField,
              { userId: customer.userId, field, reason, ...(contactId ? { contactId } : {}) },
              { quiet: true },
            )
          ).value
      : undefined
  return (
    <section className="desk-evidence" aria-label={t('pane.evidence')}>
      <h2 className="visually-hidden">{t('pane.evidence')}</h2>
      <Section
        title={t('section.compare')}
        aside={
          <label className="check">
            <input
              type="checkbox"
              checked={differs}
              onChange={(event) => setDiffers(event.target.checked)}
            />
            {t('compare.first')} <kbd>D</kbd>
          </label>
        }
      >
        <CompareTable rows={differs ? differencesFirst(rows) : rows} reveal={reveal} />
        <p className="desk-line">
          {t('compare.similarity')}{' '}
          <b
            className={
              similarity !== null && similarity < detail.nameSimilarityMin ? 'differs' : ''
            }
          >
            {wholePercent(similarity)}
          </b>{' '}
          <span className="desk-muted">
            {t('compare.limit', { limit: wholePercent(detail.nameSimilarityMin) })}
          </span>
        </p>
      </Section>
      <ChecksSection checks={detail.checks} />
      <Section title={t('section.person')}>
        <dl className="desk-facts">
          <Fact label={t('field.phone')}>
            <Masked value={basic.phone} label={t('field.phone')} onReveal={reveal('phone')} />
          </Fact>
          <Fact label={t('field.email')}>
            {basic.email ? (
              <Masked value={basic.email} label={t('field.email')} onReveal={reveal('email')} />
            ) : null}
          </Fact>
          <Fact label={t('field.age')}>{basic.age}</Fact>
          <Fact label={t('field.profession')}>
            {basic.profession &&
              t(`profession.${basic.profession}`, { defaultValue: basic.profession })}
          </Fact>
          <Fact label={t('field.company')}>{basic.companyName}</Fact>
          <Fact label={t('field.companyAddress')}>{basic.companyAddress}</Fact>
          <Fact label={t('field.income')}>
            {basic.monthlyIncome === null ? null : <Money paise={basic.monthlyIncome} />}
          </Fact>
          <Fact label={t('field.marital')}>
            {basic.maritalStatus &&
              t(`marital.${basic.maritalStatus}`, { defaultValue: basic.maritalStatus })}
          </Fact>
          <Fact label={t('field.education')}>
            {basic.education &&
              t(`education.${basic.education}`, { defaultValue: basic.education })}
          </Fact>
          <Fact label={t('field.children')}>{basic.childrenCount}</Fact>
          <Fact label={t('field.dwelling')}>
            {basic.dwellingState &&
              t(`dwelling.${basic.dwellingState}`, { defaultValue: basic.dwellingState })}
          </Fact>
          <Fact label={t('field.channel')}>{basic.channel}</Fact>
        </dl>
      </Section>
      {bankCard && (
        <Section title={t('section.bank')}>
          <dl className="desk-facts">
            <Fact label={t('field.bank')}>{bankCard.bankName}</Fact>
            <Fact label={t('field.account')}>
              <Masked
                value={bankCard.account}
                label={t('field.account')}
                onReveal={reveal('account')}
              />
            </Fact>
            <Fact label={t('field.ifsc')}>{bankCard.ifsc}</Fact>
            <Fact label={t('field.binding')}>
              <StatusTag tone={bankCard.bindState === 'bound' ? 'good' : 'warn'}>
                {t(`bind.${bankCard.bindState}`, { defaultValue: bankCard.bindState })}
              </StatusTag>
            </Fact>
          </dl>
        </Section>
      )}
      {contact && contact.length > 0 && (
        <Section title={t('section.contacts')}>
          <ul className="desk-rows">
            {contact.map((one) => (
              <li key={one.contactId}>
                <span>{one.name}</span>{' '}
                <span className="desk-muted">
                  {t(`relation.${one.relation}`, { defaultValue: one.relation })}
                </span>{' '}
                <Masked
                  value={one.phone}
                  label={t('field.contactPhone', { name: one.name })}
                  onReveal={reveal('contactPhone', one.contactId)}
                />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {credit && (
        <Section title={t('section.credit')}>
          <dl className="desk-facts">
            <Fact label={t('field.finalLimit')}>
              <Money paise={credit.finalLimit} />
            </Fact>
            <Fact label={t('field.baseLimit')}>
              <Money paise={credit.baseLimit} />
            </Fact>
            <Fact label={t('field.adjustedLimit')}>
              <Money paise={credit.adjustedLimit} />
            </Fact>
            <Fact label={t('field.tenure')}>{t('bar.tenure', { count: credit.tenureDays })}</Fact>
            <Fact label={t('field.periods')}>
              {credit.emi === null
                ? t('field.periodsOf', { periods: credit.periods, days: credit.daysPerPeriod })
                : t('field.emiOf', { periods: credit.periods, day: credit.emi.dueDay })}
            </Fact>
            <Fact label={t(credit.emi === null ? 'field.rates' : 'field.emiRates')}>
              {t('field.ratesOf', {
                service: hundredths(credit.serviceRate),
                daily: hundredths(credit.emi?.annualRate ?? credit.dailyRate),
              })}
            </Fact>
          </dl>
        </Section>
      )}
      {device && (
        <Section title={t('section.device')}>
          <p className="desk-line">
            {[
              device.brand,
              device.model,
              device.os,
              device.osVersion,
              device.memoryMb === null ? null : `${Math.round(device.memoryMb / 1024)} GB`,
              device.operator,
              device.language,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </Section>
      )}
      <Section title={t('section.orders', { count: orders.length })}>
        <ul className="desk-rows">
          {orders.slice(0, 10).map((one) => (
            <li key={one.orderId}>
              <span className="tabular">{one.orderId}</span> <Money paise={one.amount} />{' '}
              <StatusTag tone={one.overdueDays > 0 ? 'bad' : 'neutral'}>
                {t(`orderStatus.${one.status}`, { defaultValue: String(one.status) })}
              </StatusTag>{' '}
              <IstTime value={one.createTime} style="day" />
            </li>
          ))}
        </ul>
      </Section>
      {previous.length > 0 && (
        <Section title={t('section.previous', { count: previous.length })}>
          <ul className="desk-rows">
            {previous.map((one) => (
              <li key={one.reviewId}>
                <Link href={reviewPath(one.reviewId)} className="tabular">
                  {one.reviewId}
                </Link>{' '}
                <StatusTag
                  tone={one.manualResult ? resultTone(one.manualResult) : stateTone(one.state)}
                >
                  {one.manualResult ? t(`result.${one.manualResult}`) : t(`state.${one.state}`)}
                </StatusTag>
                {one.rejectCode && (
                  <span title={t(`reject.${one.rejectCode}`)}>{one.rejectCode}</span>
                )}{' '}
                <span className="desk-muted">{one.reviewerName}</span>{' '}
                <IstTime value={one.finishTime} style="day" />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </section>
  )
}

/** Basis points as per cent with decimals: 250 → 2.5. */
function hundredths(points: number): string {
  return String(points / 100)
}
