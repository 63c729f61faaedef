import { useLanguage, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { slotText } from '#client/features/customers/public.tsx'
import { OrderLink } from '#client/features/orders/public.tsx'
import { serverNow } from '#client/session/server-clock.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { languageName } from '#client/ui/value/language-name.ts'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { istDay } from '#shared/kernel/time.ts'
import { CasePhone } from './CaseBrief.tsx'
import { ptpTone } from './case-words.ts'
import { dueNow } from './due-now.ts'
import { lastContactOf } from './last-contact.ts'
import type { CaseDetail } from './case-types.ts'

/** What a collector reads before a contact: amounts, order, phone, limits, last contact, promise. */
export function CaseFacts({
  detail,
  plan,
}: {
  detail: CaseDetail
  /** The oldest instalment with an amount due. */
  plan: CaseDetail['plans'][number] | undefined
}): ReactNode {
  const t = useText('collection')
  const language = useLanguage()
  const row = detail.case
  const last = lastContactOf(detail, t)
  const due = dueNow(detail, istDay(serverNow()))
  const { company, city, postcode, language: spoken } = detail.customer
  const about = [
    spoken === null ? null : languageName(spoken, language),
    company,
    city === null ? null : [city, postcode].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <dl className="case-facts">
      {due !== null && (
        <div>
          <dt>{t('desk.dueNow')}</dt>
          <dd>
            <strong className="case-owed">
              <Money paise={due.paise} />
            </strong>{' '}
            · {due.instalments.map((n) => `#${n}`).join(', ')} · {t('desk.notDue')}{' '}
            <Money paise={row.outstanding - due.paise} />
          </dd>
        </div>
      )}
      <div>
        <dt>{t('desk.col.outstanding')}</dt>
        <dd>
          <strong className="case-owed">
            <Money paise={row.outstanding} />
          </strong>{' '}
          · {t('desk.col.overdueDays')} {row.overdueDays}
          {plan ? (
            <>
              {' '}
              · {t('desk.dueSince')} <IstTime value={plan.dueTime} style="day" />
            </>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>{t('desk.col.amountDue')}</dt>
        <dd>
          <Money paise={row.amountDue} /> · {t('desk.col.paidAmount')}{' '}
          <Money paise={row.paidAmount} />
        </dd>
      </div>
      <div>
        <dt>{t('desk.col.orderId')}</dt>
        <dd>
          <OrderLink className="collection-link" orderId={row.orderId} /> · {row.productName}
        </dd>
      </div>
      {about !== '' && (
        <div>
          <dt>{t('desk.about')}</dt>
          <dd>{about}</dd>
        </div>
      )}
      <div>
        <dt>{t('desk.col.phone')}</dt>
        <dd>
          <CasePhone detail={detail} />
        </dd>
      </div>
      {detail.gateFacts.noContact.length > 0 && (
        <div>
          <dt>{t('desk.noContact')}</dt>
          <dd>{detail.gateFacts.noContact.map((slot) => slotText(slot, t)).join('; ')} IST</dd>
        </div>
      )}
      <div>
        <dt>{t('desk.attempts')}</dt>
        <dd className="tabular">
          {t('desk.attemptsOf', {
            today: row.attemptsToday,
            perDay: detail.limits.perDay,
            week: row.attemptsWeek,
            perWeek: detail.limits.perWeek,
          })}
        </dd>
      </div>
      <div>
        <dt>{t('desk.lastContact')}</dt>
        <dd>
          {last === null ? (
            t('desk.neverContacted')
          ) : (
            <>
              {last.what} · <IstTime value={last.time} />
              {last.by !== null && <> · {last.by}</>}
            </>
          )}
        </dd>
      </div>
      {row.firstDueTime && (
        <div>
          <dt>{t('desk.col.firstDueTime')}</dt>
          <dd>
            {Date.parse(row.firstDueTime) <= serverNow() ? (
              <StatusTag tone="bad">
                {t('desk.late', { time: formatIst(row.firstDueTime, 'dayTime', language) })}
              </StatusTag>
            ) : (
              <IstTime value={row.firstDueTime} />
            )}
          </dd>
        </div>
      )}
      {row.ptpState && (
        <div>
          <dt>{t('desk.promise')}</dt>
          <dd>
            <StatusTag tone={ptpTone(row.ptpState)}>{t(`ptpState.${row.ptpState}`)}</StatusTag>{' '}
            {row.ptpAmount !== null && <Money paise={row.ptpAmount} />}{' '}
            <IstTime value={row.ptpTime} />
            {row.brokenCount > 0 && <> · {t('desk.brokenCount', { n: row.brokenCount })}</>}
          </dd>
        </div>
      )}
      {row.needsIntimation && (
        <div>
          <dt>{t('desk.told')}</dt>
          <dd>{row.intimatedAt ? <IstTime value={row.intimatedAt} /> : t('desk.notTold')}</dd>
        </div>
      )}
      {row.agencyName && (
        <div>
          <dt>{t('desk.col.collectorName')}</dt>
          <dd>
            {row.collectorName ?? '—'} · {row.agencyName}
            {row.groupName ? ` · ${row.groupName}` : ''}
            {row.collectorId !== null && row.allocationTime && (
              <>
                {' '}
                · {t('desk.col.allocationTime')} <IstTime value={row.allocationTime} />
              </>
            )}
          </dd>
        </div>
      )}
    </dl>
  )
}
