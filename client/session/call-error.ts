/**
 * Turns any failure into a message: by problem id in the user's language, else the server's own
 * message.
 */
import { hasText, i18n, translate } from '#client/base/i18n.ts'
import type { ProblemBody } from '#shared/kernel/problem.ts'

/**
 * `refused`: the server answered with a code; `network`: no answer; `timeout`: none in 50 s;
 * `http`: an answer without an envelope.
 */
export type FailureKind = 'refused' | 'network' | 'timeout' | 'http'

export class CallError extends Error {
  override readonly name = 'CallError'
  readonly kind: FailureKind
  /** Code of the envelope; 0 when there is none. */
  readonly code: number
  readonly problem: ProblemBody | null
  readonly msg: string
  readonly data: unknown
  /** Field name → message key, of a G-FIELD. */
  readonly fields: Readonly<Record<string, string>>

  constructor(
    kind: FailureKind,
    answer: { code?: number; msg?: string; problem?: ProblemBody | null; data?: unknown } = {},
  ) {
    super(answer.msg || kind)
    this.kind = kind
    this.code = answer.code ?? 0
    this.problem = answer.problem ?? null
    this.msg = answer.msg ?? ''
    this.data = answer.data ?? null
    this.fields = fieldsOf(answer.data)
  }
}

/**
 * Nobody answered, or could: the failure proves nothing about the session or the record, and the same
 * call may succeed later.
 */
export function isUnanswered(error: unknown): boolean {
  return (
    error instanceof CallError &&
    (error.kind !== 'refused' ||
      error.code === 429 ||
      error.code >= 500 ||
      error.problem?.id === 'G-DOWN')
  )
}

/** The server looked at the call and refused it, so nothing of it was done. */
export function isRefusal(error: unknown): error is CallError {
  return error instanceof CallError && !isUnanswered(error)
}

/** The texts of refusals, which are no part of the first load. Without them the server's text is shown. */
export function refusalTexts(): Promise<unknown> {
  return i18n.loadNamespaces('problems').catch(() => undefined)
}

/** The text of a problem id with `params`; null when this language has none. */
export function problemText(problem: ProblemBody | null): string | null {
  if (!problem) return null
  const key = `problems:${problem.id}`
  return hasText(key) ? translate(key, problem.params) : null
}

/** The message of any failure, in the user's language. */
export function messageOf(error: unknown): string {
  if (!(error instanceof CallError)) return translate('session:failure.unknown')
  const translated = problemText(error.problem)
  if (translated) return translated
  if (error.kind === 'network') return translate('session:failure.network')
  if (error.kind === 'timeout') return translate('session:failure.timeout')
  return error.msg || translate('session:failure.unknown')
}

function fieldsOf(data: unknown): Record<string, string> {
  const fields = (data as { fields?: unknown } | null)?.fields
  return fields && typeof fields === 'object' ? (fields as Record<string, string>) : {}
}
