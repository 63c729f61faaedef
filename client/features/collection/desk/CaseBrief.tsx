/** What a collector reads before a contact, in two lines; the rest is the tab of facts. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { call } from '#client/session/call.ts'
import { usePermission } from '#client/session/page.tsx'
import { serverNow } from '#client/session/server-clock.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Masked } from '#client/ui/value/Masked.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { revealPhone } from '#shared/collection/cases-api.ts'
import { istDay } from '#shared/kernel/time.ts'
import { ptpTone } from './case-words.ts'
import { dueNow } from './due-now.ts'
import { lastContactOf } from './last-contact.ts'
import type { CaseDetail } from './case-types.ts'

export function CaseBrief({ detail }: { detail: CaseDetail }): ReactNode {
  const t = useText('collection')
  const { case: row, limits } = detail
  const last = lastContactOf(detail, t)
  const due = dueNow(detail, istDay(serverNow()))
  return (
    <div className="case-brief">
      <p>
        {due !== null && (
          <strong className="case-owed" title={t('desk.dueNow')}>
            <Money paise={due.paise} />
          </strong>
        )}
        <strong
          className={due === null ? 'case-owed' : undefined}
          title={t('desk.col.outstanding')}
        >
          {due !== null && '/ '}
          <Money paise={row.outstanding} />
        </strong>
        <span title={t('desk.col.overdueDays')}>
          {t('desk.col.overdueDays')} {row.overdueDays}
        </span>
        <CasePhone detail={detail} />
      </p>
      <p className="case-note">
        <span className="case-brief-last">
          {last === null ? (
            t('desk.neverContacted')
          ) : (
            <>
              {last.what} · <IstTime value={last.time} />
            </>
          )}
        </span>
        <span className="tabular" title={t('desk.attempts')}>
          {row.attemptsToday}/{limits.perDay} · {row.attemptsWeek}/{limits.perWeek}
        </span>
        {row.ptpState && (
          <StatusTag tone={ptpTone(row.ptpState)}>
            {t(`ptpState.${row.ptpState}`)}
            {row.ptpState === 'open' && (
              <>
                {' '}
                <IstTime value={row.ptpTime} style="day" />
              </>
            )}
          </StatusTag>
        )}
      </p>
    </div>
  )
}

/** The borrower's number, masked; revealing it needs the permission and a reason. */
export function CasePhone({ detail }: { detail: CaseDetail }): ReactNode {
  const t = useText('collection')
  const mayReveal = usePermission(revealPhone.access)
  const { caseId, phone } = detail.case
  return (
    <Masked
      value={phone}
      label={t('desk.col.phone')}
      {...(mayReveal
        ? {
            onReveal: async (reason: string) =>
              (await call(revealPhone, { caseId, reason }, { quiet: true })).value,
          }
        : {})}
    />
  )
}
