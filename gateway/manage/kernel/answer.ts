/** What a call returns: data in the envelope, JSON text of the database, or a file. */
import type { FastifyReply } from 'fastify'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import type { DataOf, Endpoint } from '#shared/kernel/endpoint.ts'
import type { AppContext } from './app-context.ts'
import { once } from './read-input.ts'

/** Data that is JSON text already, built by the database: written into the envelope as it is. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
/**
 * A file answer: bytes without an envelope. What has to be painted first is painted after the
 * commit: no lock waits for it.
 */
export class FileAnswer {
  readonly mime: string
  readonly bytes: Buffer | (() => Promise<Buffer>)
  readonly fileName: string | null
  constructor(
    mime: string,
    bytes: Buffer | (() => Promise<Buffer>),
    fileName: string | null = null,
  ) {
    this.mime = mime
    this.bytes = bytes
    this.fileName = fileName
  }
}

export type Answer<E extends Endpoint> = DataOf<E> | JsonText | FileAnswer

/** In tests and development an answer must match its contract exactly: no more, no less. */
export function answerCheck<E extends Endpoint>(
  context: AppContext,
  e: E,
): (result: Answer<E>) => void {
  if (!context.checkAnswers) return () => undefined
  const validatorOf = once(() => Compile(e.data))
  return (result) => {
    if (result instanceof FileAnswer) return
    const validator = validatorOf()
    const data = result instanceof JsonText ? (JSON.parse(result.text) as unknown) : result
    if (!validator.Check(data))
      throw new TypeError(
        `${e.path} answers against its contract: ${JSON.stringify(validator.Errors(data).slice(0, 3))}`,
      )
    const cleaned = Value.Clean(e.data as TObject, structuredClone(data))
    if (JSON.stringify(cleaned) !== JSON.stringify(data))
      throw new TypeError(`${e.path} answers more than its contract names`)
  }
}

export function envelope(data: unknown): string {
  const text = data instanceof JsonText ? data.text : JSON.stringify(data ?? null)
  return `{"code":200,"msg":"Operation successful","data":${text}}`
}

export async function send(reply: FastifyReply, result: unknown): Promise<FastifyReply> {
  if (!(result instanceof FileAnswer)) return sendText(reply, envelope(result))
  const bytes = typeof result.bytes === 'function' ? await result.bytes() : result.bytes
  reply
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
  if (result.fileName !== null)
    reply.header('content-disposition', `attachment; filename="${result.fileName}"`)
  return reply.type(result.mime).send(bytes)
}

export function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(text)
}
