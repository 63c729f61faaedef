/**
 * One case as a collector works on it: header, banner, contacts, form, and below them the known
 * facts. Docked beside the list, or the whole page of /detail3.
 */
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { CallError } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { focusField } from '#client/ui/form/focus-field.ts'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { callBorrower, caseContacts, followCase } from '#shared/collection/cases-api.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
import { CallState } from '#client/features/voice-calls/public.tsx'
import { CaseForms, type OpenForm } from './CaseForms.tsx'
import { CaseTabs } from './CaseTabs.tsx'
import type { CaseRow } from './case-types.ts'
import { FollowForm, type OpenCall } from './FollowForm.tsx'
import { NoteForm } from './NoteForm.tsx'
import { type CaseNow, useCaseDetail } from './use-case-detail.ts'
import { CaseNews } from './CaseNews.tsx'
import { CaseBrief } from './CaseBrief.tsx'
import { CaseFacts } from './CaseFacts.tsx'
import { CaseActions } from './CaseActions.tsx'
import { CaseContacts } from './CaseContacts.tsx'
import { CaseHead } from './CaseHead.tsx'
import { KINDS, type Kind, useCaseLocks } from './use-case-locks.ts'
import { useCaseShortcuts } from './use-case-shortcuts.ts'

/** An action requested in the list, performed once the case is open. */
export type CaseWish = 'call' | 'whatsapp' | 'follow'

export interface CasePanelProps {
  caseId: string
  wish?: CaseWish | null
  onWished?: () => void
  /** Docked panels close and move on to the next case of the list. */
  onClose?: () => void
  /** On its own page: back to the list. */
  onBack?: () => void
  onNext?: () => void
  /** Takes what moves on but asks first while a call has no result; null when the panel closes. */
  onNextReady?: (next: (() => void) | null) => void
  onRow?: (row: CaseRow) => void
}

export function CasePanel({
  caseId,
  wish = null,
  onWished,
  onClose,
  onBack,
  onNext,
  onNextReady,
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
      onBack={onBack}
      onNext={onNext}
      onNextReady={onNextReady}
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
  onBack: (() => void) | undefined
  onNext: (() => void) | undefined
  onNextReady: ((next: (() => void) | null) => void) | undefined
  onRow: ((row: CaseRow) => void) | undefined
}

function OpenCase({
  now,
  detail,
  isDocked,
  wish,
  onWished,
  onClose,
  onBack,
  onNext,
  onNextReady,
  onRow,
}: OpenCaseProps): ReactNode {
  const t = useText('collection', 'calls')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const row = detail.case
  const { caseId } = row
  const others = useWatch('case', caseId).filter((member) => member.userId !== user.userId)
  const mayFollow = usePermission(followCase.access)
  const [open, setOpen] = useState<OpenForm | null>(null)
  const [confirmsWhatsapp, setConfirmsWhatsapp] = useState(false)
  const [begun, setBegun] = useState<OpenCall | null>(null)
  /** Until the server's answer no longer names it. */
  const [recordedCall, setRecordedCall] = useState<string | null>(null)
  const [kind, setKind] = useState<Kind>('out')
  const [confirmsNext, setConfirmsNext] = useState(false)
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
  const note = useRef<HTMLDivElement>(null)
  const stored = detail.openCall?.callId === recordedCall ? null : detail.openCall
  const running: OpenCall | null = begun ?? stored
  const exchange = stored !== null && stored.callId === running?.callId ? stored.exchange : null
  const isHolder = row.collectorId === user.userId

  const {
    isUnread,
    dialRefused,
    whatsappRefused,
    linkRefused,
    followRefused,
    noteRefused,
    locked,
  } = useCaseLocks(now, detail, { kind, isRunning: running !== null })
  async function dial(
    way: 'phone' | 'whatsapp',
    contactId = detail.customer.userId,
  ): Promise<void> {
    const answer = await begin.mutateAsync({ caseId, contactId, way }).catch(() => null)
    if (answer === null) return
    setBegun({ callId: answer.callId, way, contactId })
    setKind('out')
    if (answer.link !== null) window.open(answer.link, '_blank', 'noopener,noreferrer')
    else
      void showMessage({
        intent: 'success',
        message:
          answer.exchange === 'noExtension'
            ? t('calls:noExtension')
            : answer.seatNumber === null
              ? t('desk.calling')
              : t(way === 'whatsapp' ? 'desk.whatsappSeat' : 'desk.callingSeat', {
                  seat: answer.seatNumber,
                }),
        key: `call:${caseId}`,
      })
    focusField(form.current, 'contactResult')
  }
  const focusForm = () =>
    kind === 'note'
      ? note.current?.querySelector<HTMLElement>('textarea')?.focus()
      : focusField(form.current, 'contactResult')
  /** A call without a result is asked about first; its result can also be recorded later. */
  const goNext = onNext && (() => (running === null ? onNext() : setConfirmsNext(true)))
  useCaseShortcuts({
    isIdle: () => open === null && !confirmsWhatsapp,
    isDocked,
    isUnread,
    refused: { dial: dialRefused, whatsapp: whatsappRefused },
    onCall: () => void dial('phone'),
    onWhatsapp: () => setConfirmsWhatsapp(true),
    onForm: focusForm,
    onPromise: () => focusField(form.current, 'willingness', 'contactResult'),
    onEnd: () => setOpen({ form: 'end', row }),
    onRead: now.readNews,
    onNext: goNext,
    onClose,
    onBack,
  })
  /** Runs once per request; the case shows why an action is not possible now. */
  function grant(): void {
    if (granted.current === wish) return
    granted.current = wish
    if (wish === null) return
    onWished?.()
    if (wish === 'follow') focusForm()
    else if (wish === 'call' && dialRefused === null) void dial('phone')
    else if (wish === 'whatsapp' && whatsappRefused === null) setConfirmsWhatsapp(true)
  }
  const granted = useRef<CaseWish | null>(null)
  useEffect(() => grant())
  useEffect(() => {
    onNextReady?.(goNext ?? null)
    return () => onNextReady?.(null)
  })
  useEffect(() => {
    const at = document.activeElement
    setEditing(
      'case',
      caseId,
      form.current?.contains(at) === true || note.current?.contains(at) === true,
    )
  })

  const saved = (fresh: CaseRow, next: boolean) => {
    now.take(fresh)
    onRow?.(fresh)
    if (kind === 'out') {
      setRecordedCall(running?.callId ?? null)
      setBegun(null)
    }
    setKind('out')
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
      <CaseHead
        row={row}
        others={others}
        isHolder={isHolder}
        isDocked={isDocked}
        onNext={onNext && goNext}
        onClose={onClose}
      />
      {isDocked ? <CaseBrief detail={detail} /> : <CaseFacts detail={detail} plan={plan} />}
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
        <CaseContacts
          contacts={contacts.data ?? []}
          dialRefused={dialRefused}
          onDial={(contactId) => dial('phone', contactId)}
        />
      )}
      <div className="case-work">
        <CaseNews now={now} onRead={isUnread ? now.readNews : undefined} onNext={onNext} />
        {/* the line is always there, so that nothing moves when it gets a text */}
        <p className={`case-status${running === null ? '' : ' is-running'}`} role="status">
          {exchange !== null ? (
            <CallState call={exchange} />
          ) : running !== null ? (
            t('desk.record')
          ) : locked === null && offline === null && kind === 'out' ? (
            dialRefused
          ) : null}
        </p>
        {mayFollow && (
          <Segmented
            label={t('desk.kind')}
            value={kind}
            segments={KINDS.map((value) => ({ value, label: t(`desk.direction.${value}`) }))}
            onChange={setKind}
          />
        )}
        {mayFollow && kind === 'note' && (
          <div ref={note} className="case-note-form">
            <NoteForm
              detail={detail}
              refused={noteRefused}
              onSaved={() => {
                setKind('out')
                now.reread()
              }}
            />
          </div>
        )}
        {mayFollow && (
          <div hidden={kind === 'note'}>
            <FollowForm
              key={`${caseId}:${recorded}`}
              detail={detail}
              direction={kind === 'note' ? 'out' : kind}
              contacts={(contacts.data ?? [])
                .filter((one) => one.callable)
                .map((one) => ({ contactId: one.contactId, label: `${one.name} ${one.phone}` }))}
              call={running}
              endCause={exchange?.endCause ?? null}
              refused={followRefused}
              formRef={form}
              onSaved={saved}
              onConflict={now.take}
            />
          </div>
        )}
      </div>
      <CaseTabs
        detail={detail}
        facts={isDocked ? <CaseFacts detail={detail} plan={plan} /> : null}
        onDone={now.reread}
      />
      <ConfirmAction
        isOpen={confirmsNext}
        intent="warning"
        title={t('desk.askNext')}
        confirmText={t('desk.nextCase')}
        onConfirm={async () => onNext?.()}
        onClose={() => setConfirmsNext(false)}
      >
        <p>{t('desk.askNextHint')}</p>
      </ConfirmAction>
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
