/** The reply form. The draft is stored while typing, sent once, and kept when sending fails. */
import './conversation.css'
import { useText } from '#client/base/use-text.ts'
import { Button, Callout } from '@blueprintjs/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useId } from 'react'
import { FilePicker, useFileTarget } from '#client/features/files/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { REPLY_MAX } from '../reply-draft.ts'
import type { ActionNow } from '../ticket-rules.ts'
import type { TicketRow, Viewer } from '../ticket-types.ts'
import { REPLY_FILES, useReply } from './use-reply.ts'

interface ReplyFormProps {
  ticket: TicketRow
  viewer: Viewer
  /** The reply action by the rules; null without the code. */
  refusal: ActionNow | null
  area: RefObject<HTMLTextAreaElement | null>
  onSent: (row: TicketRow) => void
  /** A refusal carried a newer row. */
  onFresh: (row: TicketRow) => void
}

/** The counter appears below this many remaining characters. */
const COUNT_FROM = 200

export function ReplyForm({
  ticket,
  viewer,
  refusal,
  area,
  onSent,
  onFresh,
}: ReplyFormProps): ReactNode {
  const t = useText('tickets')
  const id = useId()
  const { reason: offline } = useConnection()
  const reply = useReply({ ticket, userId: viewer.userId, onSent, onFresh })
  const { draft, files, isBlank } = reply
  const target = useFileTarget(files, REPLY_FILES, reply.attach)
  if (refusal === null && isBlank) return null
  const closed =
    refusal === null
      ? t('refused.finished')
      : refusal.refusal
        ? t(`refused.${refusal.refusal.key}`, { name: ticket.processorName ?? '' })
        : null
  // a draft stays readable after the ticket has left its processor
  if (closed !== null && isBlank) return <p className="reply-closed">{closed}</p>
  const left = REPLY_MAX.content - draft.content.length
  const refused = offline ?? closed ?? (draft.content.trim() === '' ? t('refused.noText') : null)
  function keys(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing)
      return
    event.preventDefault()
    if (refused === null) void reply.send()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (refused === null) void reply.send()
  }
  return (
    <form
      className={`reply ${draft.internal ? 'is-internal' : ''}`}
      data-over={target.isOver || undefined}
      onKeyDown={keys}
      onSubmit={submit}
      {...target.place}
    >
      {reply.failure !== null && (
        <Callout
          intent={reply.failure.isRefused ? 'danger' : 'warning'}
          icon="error"
          className="reply-failure"
          role="alert"
        >
          {reply.failure.text}
        </Callout>
      )}
      {reply.isRestored && reply.failure === null && (
        <p className="reply-restored" role="status">
          {t('reply.restored')}{' '}
          <Button variant="minimal" size="small" text={t('reply.drop')} onClick={reply.drop} />
        </p>
      )}
      <div className="reply-head">
        <label htmlFor={`${id}-text`}>
          {t(draft.internal ? 'reply.noteLabel' : 'reply.label')}
        </label>
        <Segmented
          label={t('reply.kind')}
          value={draft.internal ? 'internal' : 'customer'}
          segments={[
            { value: 'customer', label: t('reply.toCustomer') },
            { value: 'internal', label: t('reply.internal') },
          ]}
          onChange={(kind) => reply.change({ internal: kind === 'internal' })}
        />
      </div>
      <textarea
        id={`${id}-text`}
        ref={area}
        className="bp6-input"
        rows={3}
        maxLength={REPLY_MAX.content}
        value={draft.content}
        aria-describedby={`${id}-note`}
        onChange={(event) => reply.change({ content: event.target.value })}
      />
      {!draft.internal && (
        <div className="reply-remark">
          <label htmlFor={`${id}-remark`} title={t('reply.remarkHelp')}>
            {t('reply.remark')}
          </label>
          <input
            id={`${id}-remark`}
            className="bp6-input"
            autoComplete="off"
            maxLength={REPLY_MAX.remark}
            value={draft.remark}
            placeholder={t('reply.remarkHelp')}
            onChange={(event) => reply.change({ remark: event.target.value })}
          />
        </div>
      )}
      {files.length > 0 && !draft.internal && <p className="reply-note">{t('reply.filesStay')}</p>}
      <div className="reply-end">
        <FilePicker files={files} target={target} disabled={closed !== null || reply.isSending} />
        <span id={`${id}-note`} className="reply-note">
          {closed ??
            (left <= COUNT_FROM ? t('reply.left', { left }) : isBlank ? '' : t('reply.kept'))}
        </span>
        <ActionButton
          type="submit"
          intent="primary"
          busy={reply.isSending}
          keys="Ctrl+Enter"
          text={t(
            reply.failure && !reply.failure.isRefused
              ? 'action.again'
              : draft.internal
                ? 'action.note'
                : 'action.send',
          )}
          disabledReason={refused}
        />
      </div>
    </form>
  )
}
