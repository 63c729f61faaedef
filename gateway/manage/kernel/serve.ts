/**
 * Endpoint → route. The order is fixed: schema, session, permission, then the command or the query (architecture.md 2); a
 * refusal therefore never tells what exists. A route that was not declared as an endpoint cannot be added (see errors.ts).
 */
import '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import Type, { type TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import {
  type DataOf,
  type Endpoint,
  fileRules,
  type InputOf,
  pathParts,
  placeOf,
} from '#shared/kernel/endpoint.ts'
import { mayCall } from '#shared/kernel/permission.ts'
import {
  BAD_REQUEST,
  FORBIDDEN,
  INVALID_FIELDS,
  KEY_MISSING,
  Problem,
  SESSION_EXPIRED,
} from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { type Actor, type StaffActor, staff, systemActor } from './actor.ts'
import { type Cx, runCommand } from './command.ts'
import type { ExportableList, House } from './house.ts'
import { keyed } from './repeatable.ts'
import { takeUploads, type Upload } from './uploads.ts'

/** Data that is JSON text already, built by the database: written into the envelope as it is. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
/** A file answer: bytes without an envelope. What has to be painted first is painted after the commit: no lock waits for it. */
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

export interface Query {
  db: Db
  actor: StaffActor
  house: House
}

type Answer<E extends Endpoint> = DataOf<E> | JsonText | FileAnswer

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    actor: Actor | null
  }
}

const KEY_FORM = /^[A-Za-z0-9_-]{8,80}$/

/** Serves a read: no transaction, no log. */
export function serveQuery<E extends Endpoint>(
  app: FastifyInstance,
  house: House,
  e: E,
  handler: (query: Query, input: InputOf<E>, request: FastifyRequest) => Promise<Answer<E>>,
): void {
  if (e.audit !== undefined) throw new TypeError(`${e.path} is a command`)
  const readInput = inputReader(e)
  const check = answerCheck(house, e)
  if (e.exports)
    house.lists.set(
      e.path,
      listOf(house, e, (query, input) => handler(query, input as InputOf<E>, NO_REQUEST)),
    )
  route(app, e, async (request, reply) => {
    const input = readInput(request) as InputOf<E>
    const result = await handler(
      { db: house.database.kysely, actor: staff(request.actor as Actor), house },
      input,
      request,
    )
    check(result)
    return send(reply, result)
  })
}

/** A list that goes into files is read without a request; its query does not look at one. */
const NO_REQUEST = null as never

function listOf(
  house: House,
  e: Endpoint,
  read: (query: Query, input: unknown) => Promise<unknown>,
): ExportableList {
  const checkInput = inputCheck(e)
  async function page(
    actor: StaffActor,
    filters: unknown,
    pageNum: number,
    pageSize: number,
  ): Promise<{ rows: unknown[]; total: number; isCapped: boolean }> {
    // the contract's limit of a page is one for browsers
    const input = { ...(checkInput(filters) as Record<string, unknown>), pageNum, pageSize }
    const answer = await read({ db: house.database.kysely, actor, house }, input)
    const data = (answer instanceof JsonText ? JSON.parse(answer.text) : answer) as {
      rows: unknown[]
      total: number
      totalCapped?: boolean
    }
    return { rows: data.rows, total: data.total, isCapped: data.totalCapped === true }
  }
  return {
    endpoint: e,
    rows: (actor, filters, most) => page(actor, filters, 1, most),
    async count(actor, filters, most) {
      const { total, isCapped } = await page(actor, filters, PAST_THE_END, most)
      return isCapped ? most + 1 : total
    },
  }
}

/** A page that no list has: it is counted, no row of it is built. */
const PAST_THE_END = 1_000_000

/** Serves a call that needs the raw request: sign-in, machine calls, which bring a signature instead of a session, and calls whose secrets no stored answer may hold. */
export function serveOpen<E extends Endpoint>(
  app: FastifyInstance,
  house: House,
  e: E,
  handler: (request: FastifyRequest, reply: FastifyReply, input: InputOf<E>) => Promise<DataOf<E>>,
): void {
  const readInput = inputReader(e)
  const check = answerCheck(house, e)
  route(app, e, async (request, reply) => {
    const result = await handler(request, reply, readInput(request) as InputOf<E>)
    check(result)
    return send(reply, result)
  })
}

/** Serves a command: one transaction with idempotency, operate log and events. */
export function serveCommand<E extends Endpoint>(
  app: FastifyInstance,
  house: House,
  e: E,
  handler: (cx: Cx, input: InputOf<E>) => Promise<Answer<E>>,
): void {
  command(app, house, e, { before: async () => null, repeats: (input) => input }, handler)
}

/**
 * Serves a command that has to know something first, which is read before its transaction (inside, the read would wait for a
 * connection of its own). What the read refuses, the command is refused for.
 */
export function serveAfterReading<E extends Endpoint, Read>(
  app: FastifyInstance,
  house: House,
  e: E,
  read: (query: Query, input: InputOf<E>) => Promise<Read>,
  handler: (cx: Cx, input: InputOf<E>, found: Read) => Promise<Answer<E>>,
): void {
  const before = (request: FastifyRequest, input: InputOf<E>): Promise<Read | Problem> =>
    foundOrRefused(() =>
      read({ db: house.database.kysely, actor: staff(request.actor as Actor), house }, input),
    )
  command(app, house, e, { before, repeats: (input) => input }, (cx, input, found) => {
    if (found instanceof Problem) throw found
    return handler(cx, input, found)
  })
}

/** What was found before a command, or what it was refused for: the command throws that, so that it is logged as its own. */
export async function foundOrRefused<Found>(find: () => Promise<Found>): Promise<Found | Problem> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** Serves a command that brings files; its fields come as texts. The same request carries the same files, to the byte. */
export function serveUpload<E extends Endpoint>(
  app: FastifyInstance,
  house: House,
  e: E,
  handler: (cx: Cx, input: InputOf<E>, files: readonly Upload[]) => Promise<Answer<E>>,
): void {
  const rules = fileRules(e)
  if (rules.length === 0) throw new TypeError(`${e.path} takes no files`)
  // a plugin of its own: other routes keep to JSON
  void app.register(async (own) => {
    const filesOf = takeUploads(own, rules, (request) => letIn(e, request))
    command(
      own,
      house,
      e,
      {
        before: (request) => filesOf(request),
        repeats: (input, files) =>
          files.length === 0
            ? input
            : {
                input,
                files: files.map(({ field, sha256 }) =>
                  rules.length === 1 ? sha256 : `${field} ${sha256}`,
                ),
              },
      },
      handler,
    )
  })
}

/** What a command takes up before its transaction, and what of it a repeated request must bring again. */
interface Before<E extends Endpoint, Extra> {
  before(request: FastifyRequest, input: InputOf<E>): Promise<Extra>
  repeats(input: InputOf<E>, extra: Extra): unknown
}

function command<E extends Endpoint, Extra>(
  app: FastifyInstance,
  house: House,
  e: E,
  { before, repeats }: Before<E, Extra>,
  handler: (cx: Cx, input: InputOf<E>, extra: Extra) => Promise<Answer<E>>,
): void {
  const { audit } = e
  if (audit === undefined) throw new TypeError(`${e.path} has no audit name`)
  const readInput = inputReader(e)
  const check = answerCheck(house, e)
  route(app, e, async (request, reply) => {
    const input = readInput(request) as InputOf<E>
    const extra = await before(request, input)
    const key = idempotencyKey(e, request)
    const actor = request.actor ?? systemActor('anonymous', request.id)
    const outcome = await runCommand(
      house,
      {
        actor,
        audit: { action: audit, menu: e.menu },
        repeatable:
          key === null
            ? null
            : keyed(house, actor, {
                route: `${e.method} ${e.path}`,
                key,
                input: repeats(input, extra),
              }),
        answer: (result) => {
          check(result as Answer<E>)
          return result instanceof FileAnswer ? '' : envelope(result)
        },
      },
      (cx) => handler(cx, input, extra),
    )
    if (outcome.kind === 'done' && outcome.result instanceof FileAnswer)
      return send(reply, outcome.result)
    return sendText(reply, outcome.answer as string)
  })
}

function route(
  app: FastifyInstance,
  e: Endpoint,
  run: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route({
    method: e.method,
    url: e.path,
    config: { endpoint: e },
    schema: documentation(e),
    handler: async (request, reply) => {
      letIn(e, request)
      return run(request, reply)
    },
  })
}

/** @throws Problem G401, G403 */
function letIn(e: Endpoint, { actor }: FastifyRequest): void {
  const isOpen = e.access === 'none' || (typeof e.access === 'object' && 'machine' in e.access)
  if (!isOpen && actor === null) throw new Problem(SESSION_EXPIRED)
  const rights = actor?.rights
  // machine calls are let in by their signature (inbound), never by a session
  if (rights && !mayCall(e.access, rights.permissions)) throw new Problem(FORBIDDEN)
}

/** What OpenAPI shows of an endpoint; nothing here is compiled. */
function documentation(e: Endpoint): FastifySchema {
  const { access } = e
  const who =
    typeof access === 'string'
      ? access
      : 'machine' in access
        ? `machine key with scope ${access.machine}`
        : access.join(' or ')
  const envelopeSchema = Type.Object({ code: Type.Integer(), msg: Type.String(), data: e.data })
  const files = fileRules(e)
    .map(
      ({ name, least, most, kinds, bytes }) =>
        `. Files as multipart/form-data in ${name}: ${least} to ${most}, ${kinds.join(', ')}, each up to ${bytes / 1_048_576} MB`,
    )
    .join('')
  return {
    summary: e.summary,
    description: `Permission: ${who}${files}`,
    tags: [e.path.split('/')[1] ?? ''],
    [placeOf(e) === 'query' ? 'querystring' : 'body']: e.input,
    response: { 200: envelopeSchema },
  }
}

/** Reads, converts (query only) and checks the input. @throws Problem G422 with a message key per field */
function inputReader(e: Endpoint): (request: FastifyRequest) => unknown {
  const check = inputCheck(e)
  return (request) =>
    check(
      placeOf(e) === 'query' ? request.query : (request.body ?? {}),
      request.params as Record<string, unknown>,
    )
}

function inputCheck(e: Endpoint): (given: unknown, params?: Record<string, unknown>) => unknown {
  // compiled by the first call: a start need not wait for those of every call
  const validatorOf = once(() => Compile(e.input))
  const place = placeOf(e)
  const parts = pathParts(e.path)
  const names = new Set(Object.keys(e.input.properties))
  return (given, params = {}) => {
    if (given === null || typeof given !== 'object' || Array.isArray(given))
      throw new Problem(BAD_REQUEST)
    const input: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(given)) {
      // the query carries cache-busting parameters; a body must hold what is declared and nothing else
      if (place === 'query' && !names.has(name)) continue
      input[name] = IS_PASSWORD.test(name) ? value : tidy(value)
    }
    for (const part of parts) input[part] = params[part]
    // an empty filter is no filter
    if (place === 'query')
      for (const name of Object.keys(input)) if (input[name] === '') delete input[name]
    // a query and a form hold texts
    const converted = Value.Default(
      e.input,
      place === 'query' || e.files ? Value.Convert(e.input, input) : input,
    )
    const validator = validatorOf()
    if (!validator.Check(converted))
      throw new Problem(INVALID_FIELDS, {}, { fields: fieldErrors(validator.Errors(converted)) })
    return converted
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

interface SchemaError {
  keyword: string
  instancePath: string
  params: object
}

/** Field → message key, as the client's forms make them from the same schema. */
function fieldErrors(errors: readonly SchemaError[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const error of errors) {
    const params = error.params as {
      requiredProperties?: string[]
      additionalProperties?: string[]
    }
    const at = error.instancePath.slice(1).replaceAll('/', '.')
    for (const name of params.requiredProperties ?? [])
      fields[at ? `${at}.${name}` : name] ??= 'required'
    for (const name of params.additionalProperties ?? [])
      fields[at ? `${at}.${name}` : name] = 'unknown'
    if (
      error.keyword !== 'required' &&
      error.keyword !== 'additionalProperties' &&
      error.keyword !== 'boolean' &&
      at
    )
      fields[at] ??= error.keyword
  }
  return fields
}

/** Taken letter by letter: a blank belongs to it. */
const IS_PASSWORD = /^password$|Pwd$/

const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/

/** Trims texts; refuses control characters, which no field has a use for and the database cannot store. */
function tidy(value: unknown, depth = 0): unknown {
  if (depth > 32) throw new Problem(BAD_REQUEST)
  if (typeof value === 'string') {
    if (CONTROL.test(value)) throw new Problem(BAD_REQUEST)
    return value.trim()
  }
  if (Array.isArray(value)) return value.map((item) => tidy(item, depth + 1))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, tidy(v, depth + 1)]))
  return value
}

function idempotencyKey(e: Endpoint, request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) {
    if (e.idempotency === 'required') throw new Problem(KEY_MISSING)
    return null
  }
  if (typeof key !== 'string' || !KEY_FORM.test(key)) throw new Problem(BAD_REQUEST)
  return key
}

/** In tests and development an answer must be exactly what its contract says: no more, no less. */
function answerCheck<E extends Endpoint>(house: House, e: E): (result: Answer<E>) => void {
  if (!house.checkAnswers) return () => undefined
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

function envelope(data: unknown): string {
  return `{"code":200,"msg":"Operation successful","data":${data instanceof JsonText ? data.text : JSON.stringify(data ?? null)}}`
}
async function send(reply: FastifyReply, result: unknown): Promise<FastifyReply> {
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
function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(text)
}
