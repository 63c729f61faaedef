/** Personal data: masked by the server, revealed field by field for a reason. */
import type { ReactNode } from 'react'
import { useLanguage } from '#client/base/use-text.ts'
import { call } from '#client/session/call.ts'
import { usePermission } from '#client/session/page.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { languageName } from '#client/ui/value/language-name.ts'
import { Masked } from '#client/ui/value/Masked.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { CustomerDetail } from '#shared/customers/customer-detail-api.ts'
import type { CustomerSection } from '#shared/customers/customer-sets.ts'
import { REVEAL_CODES, type REVEAL_FIELDS, revealField } from '#shared/customers/reveal-api.ts'
import { formatBasisPoints } from '#shared/kernel/money.ts'
import { creditTone } from '../customer-words.ts'
import { slotText } from '../slot-text.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'

export const PROFILE_SECTIONS: readonly CustomerSection[] = [
  'basic',
  'contact',
  'kyc',
  'bankCard',
  'photos',
  'credit',
  'device',
]

type RevealField = (typeof REVEAL_FIELDS)[number]
/** Roles that judge nobody need only phone and e-mail to contact a customer. */
const TO_REACH: readonly RevealField[] = ['phone', 'email']

export function ProfileTab({ detail }: { detail: CustomerDetail }): ReactNode {
  const t = useCustomerText()
  const language = useLanguage()
  const { userId, basic, contact, kyc, bankCard, credit, device, granted } = detail
  const reveal = useReveal(userId, granted)
  // fields withheld from an outside agency are hidden; for roles that see identities an empty field
  // means unknown
  const isGiven = (...values: readonly unknown[]) =>
    granted.includes('kyc') || values.some((value) => value !== null)
  const word = (set: string, code: string | null | undefined) =>
    code === null || code === undefined ? '—' : t(`${set}.${code}`, { defaultValue: code })
  return (
    <div className="customer-cards">
      {basic && (
        <>
          <Card title={t('section.basic')}>
            <Fact label={t('review:field.name')}>{basic.name}</Fact>
            {isGiven(basic.panName) && <Fact label={t('col.panName')}>{basic.panName ?? '—'}</Fact>}
            <Fact label={t('review:field.sex')}>{word('review:sex', basic.sex)}</Fact>
            <Fact label={t('review:field.age')}>{basic.age ?? '—'}</Fact>
            {isGiven(basic.birthday) && (
              <Fact label={t('review:field.birthday')}>
                <IstTime value={basic.birthday} style="day" />
              </Fact>
            )}
            <Fact label={t('field.language')}>{languageName(basic.language, language)}</Fact>
            <Fact label={t('review:field.channel')}>{basic.channel}</Fact>
          </Card>
          <Card title={t('section.reach')}>
            <Fact label={t('review:field.phone')}>
              <Masked value={basic.phone} label={t('review:field.phone')} {...reveal('phone')} />
            </Fact>
            <Fact label={t('review:field.email')}>
              <Masked value={basic.email} label={t('review:field.email')} {...reveal('email')} />
            </Fact>
            <Fact label={t('review:field.address')}>
              <Masked
                value={basic.residentialAddress}
                label={t('review:field.address')}
                {...reveal('address')}
              />
            </Fact>
            <Fact label={t('edit.postcode')}>{basic.postcode ?? '—'}</Fact>
            <Fact label={t('edit.noContact')}>
              {basic.noContact.length === 0
                ? '—'
                : basic.noContact.map((slot) => (
                    <span key={slotText(slot, t)} className="customer-slot">
                      {slotText(slot, t)} IST
                    </span>
                  ))}
            </Fact>
            <Fact label={t('field.dnd')}>
              {basic.dnd ? <StatusTag tone="warn">{t('dnd.on')}</StatusTag> : t('dnd.off')}
            </Fact>
          </Card>
          {isGiven(
            basic.profession,
            basic.companyName,
            basic.companyAddress,
            basic.monthlyIncome,
            basic.maritalStatus,
            basic.childrenCount,
            basic.education,
            basic.dwellingState,
          ) && (
            <Card title={t('section.work')}>
              <Fact label={t('review:field.profession')}>
                {word('review:profession', basic.profession)}
              </Fact>
              <Fact label={t('review:field.company')}>{basic.companyName ?? '—'}</Fact>
              <Fact label={t('review:field.companyAddress')}>{basic.companyAddress ?? '—'}</Fact>
              <Fact label={t('review:field.income')}>
                <Money paise={basic.monthlyIncome} />
              </Fact>
              <Fact label={t('review:field.marital')}>
                {word('review:marital', basic.maritalStatus)}
              </Fact>
              <Fact label={t('review:field.children')}>{basic.childrenCount ?? '—'}</Fact>
              <Fact label={t('review:field.education')}>
                {word('review:education', basic.education)}
              </Fact>
              <Fact label={t('review:field.dwelling')}>
                {word('review:dwelling', basic.dwellingState)}
              </Fact>
            </Card>
          )}
        </>
      )}
      {kyc && (
        <Card title={t('section.kyc')}>
          {/* of Aadhaar only four digits are stored: there is nothing to open */}
          <Fact label={t('review:field.aadhaar')}>
            <Masked value={kyc.aadhaar} label={t('review:field.aadhaar')} />
          </Fact>
          <Fact label={t('review:field.pan')}>
            <Masked value={kyc.pan} label={t('review:field.pan')} {...reveal('pan')} />
          </Fact>
          <Fact label={t('field.verifyState')}>
            <StatusTag tone={kyc.verifyState === 'passed' ? 'good' : 'warn'}>
              {word('kycState', kyc.verifyState)}
            </StatusTag>
          </Fact>
          <Fact label={t('field.panState')}>
            <StatusTag tone={kyc.panState === 'passed' ? 'good' : 'warn'}>
              {word('kycState', kyc.panState)}
            </StatusTag>
          </Fact>
          <Fact label={t('field.facePan')}>{percent(kyc.facePan)}</Fact>
          <Fact label={t('field.faceAadhaar')}>{percent(kyc.faceAadhaar)}</Fact>
        </Card>
      )}
      {bankCard && (
        <Card title={t('review:section.bank')}>
          <Fact label={t('review:field.holder')}>{bankCard.holder}</Fact>
          <Fact label={t('review:field.bank')}>{bankCard.bankName}</Fact>
          <Fact label={t('review:field.account')}>
            <Masked
              value={bankCard.account}
              label={t('review:field.account')}
              {...reveal('account')}
            />
          </Fact>
          <Fact label={t('review:field.ifsc')}>
            <span className="tabular">{bankCard.ifsc}</span>
          </Fact>
          <Fact label={t('review:field.binding')}>
            <StatusTag tone={bankCard.bindState === 'bound' ? 'good' : 'warn'}>
              {word('review:bind', bankCard.bindState)}
            </StatusTag>
          </Fact>
          <Fact label={t('field.similarity')}>{percent(bankCard.nameSimilarity)}</Fact>
        </Card>
      )}
      {credit && (
        <Card title={t('review:section.credit')}>
          <Fact label={t('col.creditState')}>
            <StatusTag tone={creditTone(credit.state)}>{word('credit', credit.state)}</StatusTag>
          </Fact>
          <Fact label={t('review:field.finalLimit')}>
            <Money paise={credit.finalLimit} />
          </Fact>
          <Fact label={t('review:field.baseLimit')}>
            <Money paise={credit.baseLimit} />
          </Fact>
          <Fact label={t('review:field.adjustedLimit')}>
            <Money paise={credit.adjustedLimit} />
          </Fact>
          <Fact label={t('review:field.tenure')}>
            {t('review:bar.tenure', { count: credit.tenureDays })}
          </Fact>
          <Fact label={t('review:field.periods')}>
            {credit.emi === null
              ? t('review:field.periodsOf', {
                  periods: credit.periods,
                  days: credit.daysPerPeriod,
                })
              : t('review:field.emiOf', { periods: credit.periods, day: credit.emi.dueDay })}
          </Fact>
          <Fact label={t(credit.emi === null ? 'review:field.rates' : 'review:field.emiRates')}>
            {percent(credit.serviceRate)} / {percent(credit.emi?.annualRate ?? credit.dailyRate)}
          </Fact>
        </Card>
      )}
      {contact && (
        <Card title={t('section.contact')}>
          {contact.length === 0 ? (
            <div>
              <dt>{t('empty.contact')}</dt>
            </div>
          ) : (
            contact.map((one) => (
              <Fact
                key={one.contactId}
                label={
                  <>
                    {one.name} ·{' '}
                    <span className="customer-muted">
                      {t(`review:relation.${one.relation}`, { defaultValue: one.relation })}
                    </span>
                  </>
                }
              >
                <Masked
                  value={one.phone}
                  label={t('review:field.contactPhone', { name: one.name })}
                  {...reveal('contactPhone', one.contactId)}
                />
              </Fact>
            ))
          )}
        </Card>
      )}
      {device && (
        <Card title={t('review:section.device')}>
          <Fact label={t('field.brand')}>{device.brand ?? '—'}</Fact>
          <Fact label={t('field.model')}>{device.model ?? '—'}</Fact>
          <Fact label={t('field.os')}>
            {[device.os, device.osVersion].filter(Boolean).join(' ') || '—'}
          </Fact>
          <Fact label={t('field.language')}>
            {device.language === null ? '—' : languageName(device.language, language)}
          </Fact>
          <Fact label={t('field.memory')}>
            {device.memoryMb === null ? '—' : `${Math.round(device.memoryMb / 1024)} GB`}
          </Fact>
          <Fact label={t('field.operator')}>{device.operator ?? '—'}</Fact>
        </Card>
      )}
    </div>
  )
}

/** The reveal button of a field, shown to users for whom the server would reveal it. */
function useReveal(userId: string, granted: readonly CustomerSection[]) {
  const mayReveal = usePermission(REVEAL_CODES)
  // declared contacts are shown to these roles only
  const judges = granted.includes('contact')
  return (field: RevealField, contactId?: string) =>
    mayReveal && (judges || TO_REACH.includes(field))
      ? {
          onReveal: async (reason: string) =>
            (
              await call(
                revealField,
                { userId, field, reason, ...(contactId === undefined ? {} : { contactId }) },
                { quiet: true },
              )
            ).value,
        }
      : {}
}

function percent(points: number | null): string {
  return points === null ? '—' : formatBasisPoints(points)
}

function Card({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className="detail-card">
      <h2>{title}</h2>
      <dl>{children}</dl>
    </section>
  )
}

function Fact({ label, children }: { label: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
