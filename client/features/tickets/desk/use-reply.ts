/**
 * The reply being written: stored as a draft and sent once. Without an answer of the server the
 * same reply can be sent again.
 */
import { useText } from '#client/base/use-text.ts'
import { useEffect, useRef, useState } from 'react'
import { faultOfFiles } from '#client/features/files/public.tsx'
import { setEditing } from '#client/live/watch.ts'
import { isRefusal, messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { replyTicket } from '#shared/tickets/tickets-api.ts'
import {
  dropReply,
  isBlankReply,
  keepReply,
  NO_REPLY,
  readReply,
  type ReplyDraft,
  sweepReplies,
} from '../reply-draft.ts'
import type { TicketRow } from '../ticket-types.ts'

export const REPLY_FILES = replyTicket.files as FileRule

export interface Reply {
  draft: ReplyDraft
  /** Lost when the page is left: the draft holds text, not files. */
  files: readonly File[]
  isBlank: boolean
  /** The draft is from an earlier visit. */
  isRestored: boolean
  isSending: boolean
  /** Why sending failed; `isRefused` = the server refused it, else it may have arrived. */
  failure: { text: string; isRefused: boolean } | null
  change: (change: Partial<ReplyDraft>) => void
  attach: (files: readonly File[]) => void
  drop: () => void
  send: () => Promise<void>
}

interface ReplyTo {
  ticket: TicketRow
  userId: string
  onSent: (row: TicketRow) => void
  onFresh: (row: TicketRow) => void
}

export function useReply({ ticket, userId, onSent, onFresh }: ReplyTo): Reply {
  const t = useText('tickets')
  const { feedbackId } = ticket
  const [restored] = useState(() => readReply(localStorage, userId, feedbackId, Date.now()))
  const [draft, setDraft] = useState<ReplyDraft>(restored ?? NO_REPLY)
  const [files, setFiles] = useState<readonly File[]>([])
  const [isRestored, setRestored] = useState(restored !== null)
  const [failure, setFailure] = useState<Reply['failure']>(null)
  const post = useSend(replyTicket, { quiet: true })
  const sending = useRef(false)
  /**
   * A reply that got no answer is sent again with the same version, so that the server recognises
   * it.
   */
  const unanswered = useRef<{ text: string; files: readonly File[]; version: number } | null>(null)
  const isBlank = isBlankReply(draft) && files.length === 0
  const isWriting = !isBlank && ticket.processorId === userId

  useEffect(() => sweepReplies(localStorage, Date.now()), [])
  useEffect(
    () => keepReply(localStorage, userId, feedbackId, draft, Date.now()),
    [draft, userId, feedbackId],
  )
  useEffect(() => {
    setEditing('ticket', feedbackId, isWriting)
    return () => setEditing('ticket', feedbackId, false)
  }, [feedbackId, isWriting])

  const change = (part: Partial<ReplyDraft>) => {
    setRestored(false)
    setDraft((now) => ({ ...now, ...part }))
  }
  const clear = () => {
    dropReply(localStorage, userId, feedbackId)
    setRestored(false)
    setFailure(null)
    setFiles([])
    setDraft((now) => ({ ...NO_REPLY, internal: now.internal }))
  }
  async function send(): Promise<void> {
    if (sending.current || isBlankReply(draft)) return
    sending.current = true
    setFailure(null)
    const fault = await faultOfFiles(files, REPLY_FILES)
    if (fault !== null) {
      sending.current = false
      return setFailure({ isRefused: true, text: t(fault) })
    }
    const text = JSON.stringify(draft)
    const version =
      unanswered.current?.text === text && unanswered.current.files === files
        ? unanswered.current.version
        : ticket.version
    unanswered.current = { text, files, version }
    const remark = draft.internal ? '' : draft.remark.trim()
    try {
      const row = await post.mutateAsync({
        feedbackId,
        version,
        content: draft.content.trim(),
        ...(draft.internal ? { internal: true } : {}),
        ...(remark ? { remark } : {}),
        ...({ files } as object),
      })
      unanswered.current = null
      void showMessage({
        intent: 'success',
        message: t(draft.internal ? 'done.noted' : 'done.sent'),
        key: `reply:${feedbackId}`,
      })
      clear()
      onSent(row)
    } catch (error) {
      const isRefused = isRefusal(error)
      if (isRefused) unanswered.current = null
      const fresh = isRefused ? (error.data as TicketRow | null) : null
      const hasFresh = fresh?.feedbackId === feedbackId
      if (hasFresh) onFresh(fresh)
      setFailure({
        isRefused,
        text: isRefused
          ? hasFresh && error.problem?.id === 'G409'
            ? t('reply.changed')
            : t('reply.notSent', { why: messageOf(error) })
          : `${t('reply.notSent', { why: messageOf(error) })} ${t('reply.unanswered')}`,
      })
    } finally {
      sending.current = false
    }
  }
  return {
    draft,
    files,
    isBlank,
    isRestored,
    isSending: post.isPending,
    failure,
    change,
    attach: setFiles,
    drop: clear,
    send,
  }
}
