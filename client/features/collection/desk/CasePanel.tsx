/** One case as a collector works on it: head, banner, contact, form; below it what is known. Docked beside the list, or the whole page of /detail3. */
import { Button, Callout } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { CustomerLink, slotText } from '#client/features/customers/public.tsx'
import { OrderLink } from '#client/features/orders/public.tsx'
import { AddProof, LaunchReduction, SendLink } from '#client/features/repayments/public.tsx'
import { NewTicketButton } from '#client/features/tickets/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { call } from '#client/session/call.ts'
import { CallError } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { useSession } from '#client/session/session-store.ts'
import { useShortcuts } from '#client/shell/shortcuts.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { Empty } from '#client/ui/Empty.tsx'
import { ErrorPane } from '#client/ui/ErrorPane.tsx'
import { IstTime } from '#client/ui/IstTime.tsx'
import { formatIst } from '#client/ui/ist-format.ts'
import { languageName } from '#client/ui/language-name.ts'
import { Masked } from '#client/ui/Masked.tsx'
import { Money } from '#client/ui/Money.tsx'
import { Presence } from '#client/ui/Presence.tsx'
import { type Stage, StageTag, StatusTag } from '#client/ui/StatusTag.tsx'
import { callBorrower, caseContacts, revealPhone } from '#shared/collection/cases-api.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
import { useSay } from '../use-say.ts'
import { CaseForms, type OpenForm } from './CaseForms.tsx'
import { CaseTabs } from './CaseTabs.tsx'
import { casePath, ptpTone, stateTone } from './case-words.ts'
import type { CaseRow } from './case-types.ts'
import { FollowForm, type OpenCall } from './FollowForm.tsx'
import { type CaseNow, useCaseDetail } from './use-case-detail.ts'

/** What was asked for in the list and is done once the case is open. */
export type CaseWish = 'call' | 'whatsapp' | 'follow'

export interface CasePanelProps {
  caseId: string
  wish?: CaseWish | null
  onWished?: () => void
  /** Docked panels close and go on to the next case of the list. */
  onClose?: () => void
  onNext?: () => void
  onRow?: (row: CaseRow) => void
}

export function CasePanel({
  caseId,
  wish = null,
  onWished,
  onClose,
  onNext,
  onRow,
}: CasePanelProps): ReactNode {
  const t = useSay()
  const now = useCaseDetail(caseId)
  useWatch('case', caseId)
  // one that left the viewer's scope while it was open stays as it was, locked: what he wrote is still his
  if (now.error instanceof CallError && now.error.problem?.id === NOT_FOUND.id && !now.detail) {
    return (
      <Empty
        icon="search"
        reason={t('desk.missing')}
        hint={caseId}
        {...(onClose ? { action: { text: t('desk.close'), onClick: onClose } } : {})}
      />
    )
  }
  if (!now.detail)
    return now.error ? (
      <ErrorPane error={now.error} onRetry={now.reread} />
    ) : (
      <div className="case-panel" aria-busy="true">
        <div className="bp6-skeleton case-skeleton" />
        <div className="bp6-skeleton case-skeleton" />
        <div className="bp6-skeleton case-skeleton" />
      </div>
    )
  return (
    <OpenCase
      key={caseId}
      now={now}
      detail={now.detail}
      isDocked={onClose !== undefined}
      wish={wish}
      onWished={onWished}
      onClose={onClose}
      onNext={onNext}
      onRow={onRow}
    />
  )
}

interface OpenCaseProps {
  now: CaseNow
  detail: NonNullable<CaseNow['detail']>
  isDocked: boolean
  wish: CaseWish | null
  onWished: (() => void) | undefined
  onClose: (() => void) | undefined
  onNext: (() => void) | undefined
  onRow: ((row: CaseRow) => void) | undefined
}

function OpenCase({
  now,
  detail,
  isDocked,
  wish,
  onWished,
  onClose,
  onNext,
  onRow,
}: OpenCaseProps): ReactNode {
  const t = useSay()
  const { i18n } = useTranslation()
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const row = detail.case
  const { caseId } = row
  const others = useWatch('case', caseId).filter((member) => member.userId !== user.userId)
  const mayCall = usePermission(['pedding_list:call'])
  const mayFollow = usePermission(['pedding_list:follow'])
  const mayContacts = usePermission(['pedding_list:contacts'])
  const mayReveal = usePermission(['pedding_list:reveal', 'peded_list:reveal'])
  const mayStop = usePermission(['pedding_list:stop'])
  const mayRecall = usePermission(['pedding_list:recall'])
  const mayAllocate = usePermission(['pedding_list:allocate'])
  const mayEnd = usePermission(['pedding_list:end'])
  const mayProve = usePermission(['pedding_list:proof'])
  const mayLink = usePermission(['pedding_list:link'])
  const [open, setOpen] = useState<OpenForm | null>(null)
  const [asksWhatsapp, setAsksWhatsapp] = useState(false)
  const [running, setRunning] = useState<OpenCall | null>(null)
  /** Contacts recorded here: each leaves an empty form; what others record does not touch it. */
  const [recorded, setRecorded] = useState(0)
  const [showsContacts, setShowsContacts] = useState(false)
  const begin = useSend(callBorrower)
  const contacts = useQuery({
    ...queryOf(caseContacts, { caseId }, { quiet: true }),
    enabled: showsContacts,
    staleTime: Infinity,
  })
  const form = useRef<HTMLFormElement>(null)
  const isHolder = row.collectorId === user.userId
  const leads = user.scope.kind !== 'own'
  const holds = isHolder || (leads && row.collectorId !== null)

  const refusalText =
    now.refusal === null
      ? null
      : `${t(`problems:${now.refusal.id}`, { ...now.refusal.params, ...(typeof now.refusal.params.date === 'string' ? { date: formatIst(now.refusal.params.date, 'day', i18n.language) } : {}) })}${now.refusal.openTime === null || now.refusal.id === 'C-GAP' ? '' : ` · ${t('desk.opensAt', { time: formatIst(now.refusal.openTime, 'dayTime', i18n.language) })}`}`
  /** Part of what is owed came while the case was open: who talks to the borrower reads it first. */
  const isUnread = now.news?.kind === 'paid' && !now.news.whole
  const locked = lockOf()
  const dialRefused = offline ?? locked ?? refusalText
  const whatsappRefused = dialRefused ?? (detail.whatsapp === 'none' ? t('desk.noWhatsapp') : null)
  // the limits of contact are the server's to apply: a link sent in the same talk is no further contact
  const linkRefused =
    locked ??
    (now.refusal !== null && !['C-LIM', 'C-LIMW', 'C-GAP'].includes(now.refusal.id)
      ? refusalText
      : null)
  const followRefused = locked ?? (refusalText !== null && running === null ? refusalText : null)

  function lockOf(): string | null {
    if (now.isGone)
      return now.news?.kind === 'moved'
        ? t('desk.lock.other', { name: now.news.name })
        : t('desk.lock.gone')
    if (row.state === 'closed' || row.endReason !== null) return t('desk.lock.ended')
    if (row.state === 'held') return t('desk.lock.held')
    if (row.collectorId === null) return t('desk.lock.nobody')
    if (!holds) return t('desk.lock.other', { name: row.collectorName ?? '' })
    if (isUnread) return t('desk.lock.paid')
    return null
  }
  async function dial(
    way: 'phone' | 'whatsapp',
    contactId = detail.customer.userId,
  ): Promise<void> {
    const answer = await begin.mutateAsync({ caseId, contactId, way }).catch(() => null)
    if (answer === null) return
    setRunning({ callId: answer.callId, way, contactId })
    if (answer.link !== null) window.open(answer.link, '_blank', 'noopener,noreferrer')
    else
      void showMessage({
        intent: 'success',
        message:
          answer.seatNumber === null
            ? t('desk.calling')
            : t(way === 'whatsapp' ? 'desk.whatsappSeat' : 'desk.callingSeat', {
                seat: answer.seatNumber,
              }),
        key: `call:${caseId}`,
      })
    form.current?.querySelector<HTMLElement>('select[name="contactResult"]')?.focus()
  }
  const focusForm = () => form.current?.querySelector<HTMLElement>('select, input')?.focus()
  const focusField = (name: string) =>
    form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
  const idle = () => open === null && !asksWhatsapp
  useShortcuts('screen', [
    ...(mayCall
      ? [
          {
            id: 'case-call',
            code: 'KeyC',
            labelKey: 'collection:desk.key.call',
            when: () => idle() && dialRefused === null,
            run: () => void dial('phone'),
          },
          {
            id: 'case-whatsapp',
            code: 'KeyW',
            labelKey: 'collection:desk.key.whatsapp',
            when: () => idle() && whatsappRefused === null,
            run: () => setAsksWhatsapp(true),
          },
        ]
      : []),
    ...(mayFollow
      ? [
          {
            id: 'case-form',
            code: 'KeyF',
            labelKey: 'collection:desk.key.form',
            when: idle,
            run: focusForm,
          },
          {
            id: 'case-promise',
            code: 'KeyP',
            labelKey: 'collection:desk.key.promise',
            when: idle,
            run: () => focusField('willingness') ?? focusField('contactResult'),
          },
        ]
      : []),
    ...(mayEnd
      ? [
          {
            id: 'case-end',
            code: 'KeyE',
            labelKey: 'collection:desk.key.end',
            when: () => idle() && offline === null,
            run: () => setOpen({ form: 'end', row }),
          },
        ]
      : []),
    ...(!isDocked && onNext
      ? [
          {
            id: 'case-next',
            code: 'KeyN',
            labelKey: 'collection:desk.key.next',
            when: idle,
            run: onNext,
          },
        ]
      : []),
    // a key that writes nothing: who typed on while the form was locked has not read why
    ...(isUnread
      ? [
          {
            id: 'case-read',
            code: 'Escape',
            labelKey: 'collection:desk.key.read',
            when: idle,
            run: now.readNews,
          },
        ]
      : []),
    ...(isDocked && onClose && !isUnread
      ? [
          {
            id: 'case-close',
            code: 'Escape',
            labelKey: 'collection:desk.key.close',
            when: idle,
            run: onClose,
          },
        ]
      : []),
  ])
  /** Once for each wish; why it cannot be now stands in the case. */
  function grant(): void {
    if (granted.current === wish) return
    granted.current = wish
    if (wish === null) return
    onWished?.()
    if (wish === 'follow') focusForm()
    else if (dialRefused === null && wish === 'call') void dial('phone')
    else if (whatsappRefused === null) setAsksWhatsapp(true)
  }
  const granted = useRef<CaseWish | null>(null)
  useEffect(() => grant())
  useEffect(() => {
    setEditing('case', caseId, form.current?.contains(document.activeElement) === true)
  })

  const saved = (fresh: CaseRow, next: boolean) => {
    now.take(fresh)
    onRow?.(fresh)
    setRunning(null)
    setRecorded((count) => count + 1)
    void showMessage({ intent: 'success', message: t('desk.followSaved'), key: `follow:${caseId}` })
    if (next) onNext?.()
  }
  const plan = detail.plans.find((one) => one.outstanding > 0)
  const last = detail.follows[0]
  const { language, company, city, postcode } = detail.customer
  const about = [
    language === null ? null : languageName(language, i18n.language),
    company,
    city === null ? null : [city, postcode].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <section
      className={isDocked ? 'case-panel is-docked' : 'case-panel'}
      aria-label={t('desk.caseOf', { name: row.userName })}
      aria-busy={now.isFetching}
    >
      <header className="case-head">
        {/* whose case is closed is his customer no longer */}
        <h2>
          {row.state === 'closed' && user.scope.kind !== 'all' ? (
            row.userName
          ) : (
            <CustomerLink userId={row.userId}>{row.userName}</CustomerLink>
          )}
        </h2>
        <StageTag stage={row.stageId as Stage} />
        <StatusTag tone={stateTone(row.state)}>
          {isHolder && row.state !== 'held' ? t('desk.yours') : t(`state.${row.state}`)}
        </StatusTag>
        <Presence members={others} />
        <span className="case-head-actions">
          {!isDocked && onNext && (
            <ActionButton
              variant="minimal"
              size="small"
              icon="play"
              text={t('desk.nextCase')}
              keys="N"
              onClick={onNext}
            />
          )}
          {isDocked && (
            <Button
              variant="minimal"
              size="small"
              icon="document"
              aria-label={t('desk.openPage')}
              title={t('desk.openPage')}
              onClick={() => navigate(casePath(caseId, 'pedding_list'))}
            />
          )}
          {onClose && (
            <Button
              variant="minimal"
              size="small"
              icon="cross"
              aria-label={t('desk.close')}
              title={t('desk.close')}
              onClick={onClose}
            />
          )}
        </span>
      </header>
      <News now={now} onRead={isUnread ? now.readNews : undefined} onNext={onNext} />
      {row.state === 'held' && (
        <Callout intent="warning" icon="pause" className="case-banner">
          {t('desk.heldBecause', {
            reason: t(`stopReason.${row.holdReason ?? 'other'}`, {
              defaultValue: row.holdReason ?? '',
            }),
          })}{' '}
          {row.holdUntil && (
            <>
              {t('desk.until')} <IstTime value={row.holdUntil} style="day" />
            </>
          )}
        </Callout>
      )}
      <dl className="case-facts">
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
            <Masked
              value={row.phone}
              label={t('desk.col.phone')}
              {...(mayReveal
                ? {
                    onReveal: async (reason: string) =>
                      (await call(revealPhone, { caseId, reason }, { quiet: true })).value,
                  }
                : {})}
            />
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
            {last ? (
              <>
                {t(`contactResult.${last.contactResult}`)} · <IstTime value={last.createTime} /> ·{' '}
                {last.operatorName}
              </>
            ) : (
              t('desk.neverContacted')
            )}
          </dd>
        </div>
        {row.firstDueTime && (
          <div>
            <dt>{t('desk.col.firstDueTime')}</dt>
            <dd>
              {Date.parse(row.firstDueTime) <= serverNow() ? (
                <StatusTag tone="bad">
                  {t('desk.late', { time: formatIst(row.firstDueTime, 'dayTime', i18n.language) })}
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
      <div className="case-dial">
        {mayCall && (
          <ActionButton
            icon="phone"
            intent="success"
            text={t('desk.call')}
            keys="C"
            disabledReason={dialRefused}
            onClick={() => dial('phone')}
          />
        )}
        {mayCall && (
          <ActionButton
            icon="chat"
            text={t('desk.whatsapp')}
            keys="W"
            disabledReason={whatsappRefused}
            onClick={() => setAsksWhatsapp(true)}
          />
        )}
        {mayContacts && (
          <Button
            icon="people"
            text={t('desk.contacts')}
            disabled={showsContacts}
            onClick={() => setShowsContacts(true)}
          />
        )}
        {(mayStop || mayRecall || mayAllocate || mayEnd || mayProve || mayLink) && (
          <span className="case-more">
            {mayAllocate && row.state !== 'held' && row.state !== 'closed' && (
              <ActionButton
                variant="minimal"
                icon="swap-horizontal"
                text={t('desk.allocate')}
                disabledReason={offline}
                onClick={() => setOpen({ form: 'allocate', rows: [row] })}
              />
            )}
            {mayRecall && detail.allowed.includes('AGENCY_RECALL') && row.state === 'allocated' && (
              <ActionButton
                variant="minimal"
                icon="undo"
                text={t('desk.recall')}
                disabledReason={offline}
                onClick={() => setOpen({ form: 'recall', rows: [row] })}
              />
            )}
            {row.state !== 'closed' && (
              <SendLink
                planId={plan?.planId ?? null}
                due={plan?.outstanding ?? 0}
                refused={linkRefused}
                onDone={now.reread}
              />
            )}
            {row.state !== 'closed' && row.overdueDays > 0 && (
              <LaunchReduction
                orderId={row.orderId}
                status={row.rbiClass === 'npa' ? 90 : 50}
                onDone={now.reread}
              />
            )}
            {row.state !== 'closed' && <AddProof orderId={row.orderId} onDone={now.reread} />}
            {mayStop && detail.allowed.includes('HOLD') && (
              <ActionButton
                variant="minimal"
                icon="stop"
                text={t('stop.short')}
                disabledReason={offline}
                onClick={() => setOpen({ form: 'stop', row })}
              />
            )}
            {mayEnd && detail.allowed.includes('HOLD') && (
              <ActionButton
                variant="minimal"
                icon="ban-circle"
                intent="danger"
                text={t('desk.end')}
                disabledReason={offline}
                onClick={() => setOpen({ form: 'end', row })}
              />
            )}
            <NewTicketButton
              variant="minimal"
              customer={{ userId: row.userId, userName: row.userName, orderId: row.orderId }}
              onDone={now.reread}
            />
          </span>
        )}
      </div>
      {showsContacts && (
        <ul className="case-contacts">
          {(contacts.data ?? []).map((contact) => (
            <li key={contact.contactId}>
              <span>{t(`relation.${contact.relation}`, { defaultValue: contact.relation })}</span>{' '}
              <strong>{contact.name}</strong> <span className="tabular">{contact.phone}</span>
              {contact.callable && contact.relation !== 'self' && mayCall && (
                <ActionButton
                  size="small"
                  icon="phone"
                  text={t('desk.call')}
                  disabledReason={dialRefused}
                  onClick={() => dial('phone', contact.contactId)}
                />
              )}
            </li>
          ))}
          {contacts.data?.length === 1 && <li className="case-note">{t('desk.onlyBorrower')}</li>}
        </ul>
      )}
      {dialRefused !== null && locked === null && offline === null && running === null && (
        <p className="case-gate" role="status">
          {dialRefused}
        </p>
      )}
      {running !== null && (
        <p className="case-running" role="status">
          {t('desk.record')}
        </p>
      )}
      {mayFollow && (
        <FollowForm
          key={`${caseId}:${recorded}`}
          detail={detail}
          contacts={(contacts.data ?? [])
            .filter((one) => one.callable)
            .map((one) => ({ contactId: one.contactId, label: `${one.name} ${one.phone}` }))}
          call={running}
          refused={followRefused}
          formRef={form}
          onSaved={saved}
          onConflict={now.take}
        />
      )}
      <CaseTabs detail={detail} onDone={now.reread} />
      <CaseForms open={open} onDone={now.reread} onClose={() => setOpen(null)} />
      <ConfirmAction
        isOpen={asksWhatsapp}
        intent="warning"
        title={t('desk.askWhatsapp')}
        confirmText={t('desk.whatsapp')}
        onConfirm={() => dial('whatsapp')}
        onClose={() => setAsksWhatsapp(false)}
      >
        <p>{t(detail.whatsapp === 'line' ? 'desk.whatsappByLine' : 'desk.whatsappHint')}</p>
      </ConfirmAction>
    </section>
  )
}

/** What happened while the case was open; it locks the form by the row itself, this says why. */
function News({
  now,
  onRead,
  onNext,
}: {
  now: CaseNow
  onRead: (() => void) | undefined
  onNext: (() => void) | undefined
}): ReactNode {
  const t = useSay()
  const { news } = now
  if (news === null) return null
  const next = onNext ? <Button size="small" text={t('desk.nextCase')} onClick={onNext} /> : null
  if (news.kind === 'paid')
    return (
      <Callout intent="success" icon="tick-circle" className="case-banner" role="alert">
        {t(news.whole ? 'desk.news.paidWhole' : 'desk.news.paid', {
          amount: formatPaise(news.amount),
        })}{' '}
        {onRead && (
          <ActionButton size="small" text={t('desk.news.read')} keys="Esc" onClick={onRead} />
        )}{' '}
        {next}
      </Callout>
    )
  const words =
    news.kind === 'moved'
      ? t('desk.news.moved', { name: news.name })
      : news.kind === 'held'
        ? t('desk.news.held', {
            reason: t(`stopReason.${news.reason}`, { defaultValue: news.reason }),
          })
        : news.kind === 'ended'
          ? t('desk.news.ended', {
              reason: t(`endReason.${news.reason}`, { defaultValue: news.reason }),
            })
          : t('desk.news.takenBack')
  return (
    <Callout intent="warning" icon="swap-horizontal" className="case-banner" role="alert">
      {words} {next}
    </Callout>
  )
}
