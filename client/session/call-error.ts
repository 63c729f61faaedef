/**
 * Turns any failure into a message: by problem id in the user's language, else the server's own
 * message.
 */
import { i18n } from '#client/base/i18n.ts'
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
  /** Field name → message key, of a G422. */
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

/** The text of a problem id with `params`; null when this language has none. */
export function problemText(problem: ProblemBody | null): string | null {
  if (!problem) return null
  const key = `problems:${problem.id}`
  return i18n.exists(key)
    ? (i18n.t as (key: string, params: object) => string)(key, problem.params)
    : null
}

/** The message of any failure, in the user's language. */
export function messageOf(error: unknown): string {
  if (!(error instanceof CallError)) return i18n.t('session:failure.unknown')
  const translated = problemText(error.problem)
  if (translated) return translated
  if (error.kind === 'network') return i18n.t('session:failure.network')
  if (error.kind === 'timeout') return i18n.t('session:failure.timeout')
  return error.msg || i18n.t('session:failure.unknown')
}

function fieldsOf(data: unknown): Record<string, string> {
  const fields = (data as { fields?: unknown } | null)?.fields
  return fields && typeof fields === 'object' ? (fields as Record<string, string>) : {}
}
