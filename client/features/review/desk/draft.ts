/**
 * Unsent notes of a reviewer, stored per review and user in this browser, so a lost claim keeps
 * them.
 */
import { draftsOf } from '#client/session/drafts.ts'
import { isRejectCode, type RejectCode, type Verdict } from '#shared/review/reject-reasons.ts'

export interface Draft {
  choice: Verdict | null
  rejectCode: RejectCode | null
  remark: string
  checklist: Readonly<Record<string, boolean>>
}

export const NO_DRAFT: Draft = { choice: null, rejectCode: null, remark: '', checklist: {} }

export function isBlankDraft({ choice, remark, checklist }: Draft): boolean {
  return choice === null && remark.trim() === '' && Object.keys(checklist).length === 0
}

export const {
  read: readDraft,
  keep: keepDraft,
  drop: dropDraft,
  sweep: sweepDrafts,
} = draftsOf<Draft>({
  prefix: 'review-draft:',
  isBlank: isBlankDraft,
  restore: (kept) => ({
    choice: kept.choice === 'passed' || kept.choice === 'failed' ? kept.choice : null,
    rejectCode: isRejectCode(kept.rejectCode) ? kept.rejectCode : null,
    remark: typeof kept.remark === 'string' ? kept.remark.slice(0, 500) : '',
    checklist: Object.fromEntries(
      Object.entries(kept.checklist ?? {}).filter(
        (pair): pair is [string, boolean] => typeof pair[1] === 'boolean',
      ),
    ),
  }),
})
