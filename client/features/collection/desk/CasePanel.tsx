/**
 * One case as a collector works on it: header, banner, contacts, form, and below them the known
 * facts. Docked beside the list, or the whole page of /detail3.
 */
import { useText } from '#client/base/use-text.ts'
import { Button, Callout } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { CustomerLink } from '#client/features/customers/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { CallError } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { Presence } from '#client/ui/value/Presence.tsx'
import { type Stage, StageTag, StatusTag } from '#client/ui/value/StatusTag.tsx'
import { callBorrower, caseContacts } from '#shared/collection/cases-api.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
import { CaseForms, type OpenForm } from './CaseForms.tsx'
import { CaseTabs } from './CaseTabs.tsx'
import { casePath, stateTone } from './case-words.ts'
import type { CaseRow } from './case-types.ts'
import { FollowForm, type OpenCall } from './FollowForm.tsx'
import { type CaseNow, useCaseDetail } from './use-case-detail.ts'
import { CaseNews } from './CaseNews.tsx'
import { CaseFacts } from './CaseFacts.tsx'
import { CaseActions } from './CaseActions.tsx'
import { useCaseShortcuts } from './use-case-shortcuts.ts'

/** An action requested in the list, performed once the case is open. */
export type CaseWish = 'call' | 'whatsapp' | 'follow'

export interface CasePanelProps {
  caseId: string
  wish?: CaseWish | null
  onWished?: () => void
  /** Docked panels close and move on to the next case of the list. */
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
  const t = useText('collection')
  const now = useCaseDetail(caseId)
  useWatch('case', caseId)
  // a case that left the viewer's scope while open stays visible but locked, so that the viewer
  // keeps what they wrote
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
  const t = useText('collection')
  const { i18n } = useTranslation()
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const row = detail.case
  const { caseId } = row
  const others = useWatch('case', caseId).filter((member) => member.userId !== user.userId)
  const mayCall = usePermission(['pedding_list:call'])
  const mayFollow = usePermission(['pedding_list:follow'])
  const [open, setOpen] = useState<OpenForm | null>(null)
  const [confirmsWhatsapp, setConfirmsWhatsapp] = useState(false)
  const [running, setRunning] = useState<OpenCall | null>(null)
  /** Contacts recorded here: each clears the form; contacts of others leave it alone. */
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

  const refusalText = now.refusal === null ? null : textOfRefusal(now.refusal)
  /** A part payment arrived while the case was open: the caller must see it before talking. */
  const isUnread = now.news?.kind === 'paid' && !now.news.whole
  const locked = lockOf()
  const dialRefused = offline ?? locked ?? refusalText
  const whatsappRefused = dialRefused ?? (detail.whatsapp === 'none' ? t('desk.noWhatsapp') : null)
  // the server applies the contact limits: a link sent during a call is not a further contact
  const linkRefused =
    locked ??
    (now.refusal !== null && !['C-LIM', 'C-LIMW', 'C-GAP'].includes(now.refusal.id)
      ? refusalText
      : null)
  const followRefused = locked ?? (refusalText !== null && running === null ? refusalText : null)

  function textOfRefusal({ id, params, openTime }: NonNullable<CaseNow['refusal']>): string {
    const { date } = params
    const text = t(`problems:${id}`, {
      ...params,
      ...(typeof date === 'string' ? { date: formatIst(date, 'day', i18n.language) } : {}),
    })
    if (openTime === null || id === 'C-GAP') return text
    return `${text} · ${t('desk.opensAt', { time: formatIst(openTime, 'dayTime', i18n.language) })}`
  }
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
  useCaseShortcuts({
    isIdle: () => open === null && !confirmsWhatsapp,
    isDocked,
    isUnread,
    refused: { dial: dialRefused, whatsapp: whatsappRefused },
    onCall: () => void dial('phone'),
    onWhatsapp: () => setConfirmsWhatsapp(true),
    onForm: focusForm,
    onPromise: () => focusField('willingness') ?? focusField('contactResult'),
    onEnd: () => setOpen({ form: 'end', row }),
    onRead: now.readNews,
    onNext,
    onClose,
  })
  /** Runs once per request; the case shows why an action is not possible now. */
  function grant(): void {
    if (granted.current === wish) return
    granted.current = wish
    if (wish === null) return
    onWished?.()
    if (wish === 'follow') focusForm()
    else if (dialRefused === null && wish === 'call') void dial('phone')
    else if (whatsappRefused === null) setConfirmsWhatsapp(true)
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
  return (
    <section
      className={isDocked ? 'case-panel is-docked' : 'case-panel'}
      aria-label={t('desk.caseOf', { name: row.userName })}
      aria-busy={now.isFetching}
    >
      <header className="case-head">
        {/* the customer of a closed case is out of the viewer's scope */}
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
      <CaseNews now={now} onRead={isUnread ? now.readNews : undefined} onNext={onNext} />
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
      <CaseFacts detail={detail} plan={plan} />
      <CaseActions
        detail={detail}
        plan={plan}
        refused={{ dial: dialRefused, whatsapp: whatsappRefused, link: linkRefused }}
        showsContacts={showsContacts}
        onDial={() => dial('phone')}
        onWhatsapp={() => setConfirmsWhatsapp(true)}
        onContacts={() => setShowsContacts(true)}
        onForm={setOpen}
        onDone={now.reread}
      />
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
        isOpen={confirmsWhatsapp}
        intent="warning"
        title={t('desk.askWhatsapp')}
        confirmText={t('desk.whatsapp')}
        onConfirm={() => dial('whatsapp')}
        onClose={() => setConfirmsWhatsapp(false)}
      >
        <p>{t(detail.whatsapp === 'line' ? 'desk.whatsappByLine' : 'desk.whatsappHint')}</p>
      </ConfirmAction>
    </section>
  )
}
