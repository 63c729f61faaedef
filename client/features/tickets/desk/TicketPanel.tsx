/**
 * One ticket: conversation, reply and cards. Docked beside a list, or as the whole page /detail4.
 */
import './ticket.css'
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { CallError } from '#client/session/call-error.ts'
import { type Shortcut, useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import { isTyping } from '#client/ui/frame/shortcut.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
import { type OpenForm, TicketForms } from '../forms/TicketForms.tsx'
import { useClaim } from '../list/use-claim.ts'
import { actionsOf, type TicketActionId } from '../ticket-rules.ts'
import type { TicketDetail, TicketRow, Viewer } from '../ticket-types.ts'
import { menuOf } from '../ticket-words.ts'
import { useViewer } from '../use-viewer.ts'
import { Conversation } from './Conversation.tsx'
import { ReplyForm } from './ReplyForm.tsx'
import { TicketActions } from './TicketActions.tsx'
import { TicketBanner } from './TicketBanner.tsx'
import { TicketCards } from './TicketCards.tsx'
import { TicketHead } from './TicketHead.tsx'
import { type TicketNow, useTicketDetail } from './use-ticket-detail.ts'
import { ticketPath } from '#shared/tickets/ticket-path.ts'

export interface TicketPanelProps {
  feedbackId: string
  /** Opened to be answered: the reply gets the focus. */
  repliesFirst?: boolean
  /** A docked panel can be closed and can move to the next ticket of the list. */
  onClose?: () => void
  onNext?: () => void
  onRow?: (row: TicketRow) => void
  /** A page has a link back to its list. */
  onBack?: () => void
}

export function TicketPanel({
  feedbackId,
  repliesFirst = false,
  onClose,
  onNext,
  onRow,
  onBack,
}: TicketPanelProps): ReactNode {
  const t = useText('tickets')
  const viewer = useViewer()
  const now = useTicketDetail(feedbackId, viewer.userId)
  const leave = onClose ?? onBack
  const isMissing = now.error instanceof CallError && now.error.problem?.id === NOT_FOUND.id
  if (isMissing)
    return (
      <Empty
        icon="search"
        reason={t('detail.missing')}
        hint={feedbackId}
        {...(leave
          ? { action: { text: t(onClose ? 'action.close' : 'ui:detail.back'), onClick: leave } }
          : {})}
      />
    )
  if (!now.detail)
    return now.error ? <ErrorPane error={now.error} onRetry={now.reread} /> : <Skeleton />
  return (
    <OpenTicket
      now={now}
      detail={now.detail}
      viewer={viewer}
      repliesFirst={repliesFirst}
      isDocked={onClose !== undefined}
      leave={leave}
      onNext={onNext}
      onRow={onRow}
    />
  )
}

interface OpenTicketProps {
  now: TicketNow
  detail: TicketDetail
  viewer: Viewer
  repliesFirst: boolean
  isDocked: boolean
  leave: (() => void) | undefined
  onNext: (() => void) | undefined
  onRow: ((row: TicketRow) => void) | undefined
}

const KEYS: Partial<Record<TicketActionId, string>> = {
  claim: 'KeyC',
  resolve: 'KeyE',
  transfer: 'KeyH',
  superior: 'KeyX',
  release: 'KeyU',
  approve: 'KeyA',
}

function OpenTicket({
  now,
  detail,
  viewer,
  repliesFirst,
  isDocked,
  leave,
  onNext,
  onRow,
}: OpenTicketProps): ReactNode {
  const t = useText('tickets')
  const [, navigate] = useLocation()
  const { reason: offline } = useConnection()
  const { ticket } = detail
  const { feedbackId } = ticket
  const others = useWatch('ticket', feedbackId).filter((member) => member.userId !== viewer.userId)
  const [form, setForm] = useState<OpenForm | null>(null)
  const reply = useRef<HTMLTextAreaElement>(null)
  /** Claimed a moment ago: the reply gets the focus as soon as it is shown. */
  const answersNext = useRef(false)
  const take = (row: TicketRow) => {
    now.take(row)
    onRow?.(row)
  }
  const { busyIds, claim } = useClaim(take)
  const actions = actionsOf(ticket, viewer)
  const press = (id: TicketActionId) => {
    if (id === 'reply') reply.current?.focus()
    else if (id === 'claim')
      void claim(ticket).then((mine) => (answersNext.current = mine !== null))
    else setForm({ kind: id, rows: [ticket] })
  }
  useShortcuts('screen', [
    ...actions.flatMap(({ id, refusal }): Shortcut[] => {
      const code = KEYS[id]
      return code === undefined
        ? []
        : [
            {
              id: `ticket-${id}`,
              code,
              labelKey: `tickets:action.${id}`,
              when: () => refusal === null && offline === null,
              run: () => press(id),
            },
          ]
    }),
    {
      id: 'ticket-reply',
      code: 'KeyR',
      labelKey: 'tickets:action.reply',
      when: () => reply.current !== null,
      run: () => reply.current?.focus(),
    },
    ...(leave
      ? [
          {
            id: 'ticket-close',
            code: 'Escape',
            labelKey: isDocked ? 'tickets:key.close' : 'ui:detail.back',
            run: (event: KeyboardEvent) =>
              isTyping(event.target) ? (event.target as HTMLElement).blur() : leave(),
          },
        ]
      : []),
  ])
  useEffect(() => {
    if (repliesFirst) answersNext.current = true
  }, [repliesFirst])
  useEffect(() => {
    if (!answersNext.current || !reply.current) return
    answersNext.current = false
    reply.current.focus()
  })
  const { clearUpdate } = now
  useEffect(() => {
    if (
      ticket.progress === 'followingUp' &&
      ticket.processorId === viewer.userId &&
      now.update?.kind === 'takenBy'
    )
      clearUpdate()
  }, [ticket.progress, ticket.processorId, viewer.userId, now.update, clearUpdate])

  return (
    <section
      className={`ticket ${isDocked ? 'is-docked' : 'is-page'}`}
      aria-label={`${t('detail.title')} ${feedbackId}`}
      aria-busy={now.isFetching}
    >
      {now.error ? (
        <p className="ticket-stale" role="alert">
          {t('banner.stale', { why: failureText(now.error) })}
        </p>
      ) : null}
      <TicketHead
        detail={detail}
        others={others}
        isDocked={isDocked}
        onPage={isDocked ? () => navigate(ticketPath(feedbackId, menuOf(ticket.queue))) : null}
        onLeave={leave ?? null}
      />
      <TicketBanner
        detail={detail}
        viewer={viewer}
        update={now.update}
        offline={offline}
        onNext={onNext ?? null}
        onForm={setForm}
      />
      <TicketActions
        ticket={ticket}
        actions={actions}
        busy={busyIds.has(feedbackId)}
        offline={offline}
        onPress={press}
      />
      <div className="ticket-body">
        <TicketCards detail={detail} viewer={viewer} />
        <div className="ticket-talk">
          <Conversation ticket={ticket} steps={now.steps} viewer={viewer} />
          <ReplyForm
            ticket={ticket}
            viewer={viewer}
            refusal={actions.find((action) => action.id === 'reply') ?? null}
            area={reply}
            onSent={(row) => {
              take(row)
              // single keys act again: the next ticket, or a hand-over
              reply.current?.blur()
            }}
            onFresh={take}
          />
        </div>
      </div>
      <TicketForms
        open={form}
        viewer={viewer}
        onClose={() => setForm(null)}
        onDone={(kind) => {
          now.reread()
          if (kind === 'resolve' && onNext) onNext()
        }}
        takeRow={take}
      />
    </section>
  )
}

function Skeleton(): ReactNode {
  return (
    <div className="ticket ticket-loading" aria-busy="true">
      {['head', 'cards', 'talk', 'talk-more'].map((part) => (
        <div key={part} className="bp6-skeleton ticket-skeleton" />
      ))}
    </div>
  )
}
