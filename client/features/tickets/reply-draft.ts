/** The draft of a reply. It survives leaving the tab, losing the ticket and a failed request. */
import { draftsOf } from '#client/session/drafts.ts'

export interface ReplyDraft {
  content: string
  remark: string
  internal: boolean
}

export const NO_REPLY: ReplyDraft = { content: '', remark: '', internal: false }
/** The limit of the contract. */
export const REPLY_MAX = { content: 1_000, remark: 500 }

export function isBlankReply({ content, remark }: ReplyDraft): boolean {
  return content.trim() === '' && remark.trim() === ''
}

export const {
  read: readReply,
  keep: keepReply,
  drop: dropReply,
  sweep: sweepReplies,
} = draftsOf<ReplyDraft>({
  prefix: 'ticket-reply:',
  isBlank: isBlankReply,
  restore: (kept) => ({
    content: textOf(kept.content, REPLY_MAX.content),
    remark: textOf(kept.remark, REPLY_MAX.remark),
    internal: kept.internal === true,
  }),
})

function textOf(value: unknown, max: number): string {
  return typeof value === 'string' ? value.slice(0, max) : ''
}
