/**
 * Endpoint → route. The order is fixed: schema, session, permission, then the command or the query,
 * so a refusal never reveals what exists. Routes that are not
 * declared as endpoints cannot be added (errors.ts).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DataOf, type Endpoint, fileRules, type InputOf } from '#shared/kernel/endpoint.ts'
import { mayCall } from '#shared/kernel/permission.ts'
import { FORBIDDEN, Problem, SESSION_EXPIRED } from '#shared/kernel/problem.ts'
import { whileWaiting } from '#gateway/manage/db/caller-gone.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { type Actor, type StaffActor, staff, systemActor } from './actor.ts'
import { type CommandTx, runCommand } from './command.ts'
import type { ExportableList, AppContext } from './app-context.ts'
import {
  type Answer,
  answerCheck,
  envelope,
  FileAnswer,
  JsonText,
  send,
  sendText,
} from './answer.ts'
import { idempotencyKey, inputCheck, inputReader } from './read-input.ts'
import { keyed } from './repeatable.ts'
import { takeUploads, type Upload } from './uploads.ts'

export interface Query {
  db: Db
  actor: StaffActor
  context: AppContext
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    actor: Actor | null
  }
}

/** Serves a read: no transaction, no log. */
export function serveQuery<E extends Endpoint>(
  app: FastifyInstance,
  context: AppContext,
  e: E,
  handler: (query: Query, input: InputOf<E>, request: FastifyRequest) => Promise<Answer<E>>,
): void {
  if (e.audit !== undefined) throw new TypeError(`${e.path} is a command`)
  const readInput = inputReader(e)
  const check = answerCheck(context, e)
  if (e.exports)
    context.lists.set(
      e.path,
      listOf(context, e, (query, input) => handler(query, input as InputOf<E>, NO_REQUEST)),
    )
  route(app, e, async (request, reply) => {
    const input = readInput(request) as InputOf<E>
    const actor = staff(request.actor as Actor)
    const result = await whileWaiting(reply.raw, () =>
      handler({ db: context.database.kysely, actor, context }, input, request),
    )
    check(result)
    return send(reply, result)
  })
}

/** A list that goes into files is read without a request; its query does not look at one. */
const NO_REQUEST = null as never

function listOf(
  context: AppContext,
  e: Endpoint,
  read: (query: Query, input: unknown) => Promise<unknown>,
): ExportableList {
  const checkInput = inputCheck(e)
  async function answerOf(actor: StaffActor, input: unknown): Promise<unknown> {
    const answer = await read({ db: context.database.kysely, actor, context }, input)
    return answer instanceof JsonText ? JSON.parse(answer.text) : answer
  }
  async function page(
    actor: StaffActor,
    filters: unknown,
    pageNum: number,
    pageSize: number,
  ): Promise<{ rows: unknown[]; total: number; isCapped: boolean }> {
    // the contract's limit of a page is one for browsers
    const input = { ...(checkInput(filters) as Record<string, unknown>), pageNum, pageSize }
    const data = (await answerOf(actor, input)) as {
      rows: unknown[]
      /** A report has none: all its rows are in the answer. */
      total?: number
      totalCapped?: boolean
    }
    return {
      rows: data.rows,
      total: data.total ?? data.rows.length,
      isCapped: data.totalCapped === true,
    }
  }
  return {
    endpoint: e,
    rows: (actor, filters, most) => page(actor, filters, 1, most),
    async count(actor, filters, most) {
      const { total, isCapped } = await page(actor, filters, PAST_THE_END, most)
      return isCapped ? most + 1 : total
    },
    answer: (actor, filters) => answerOf(actor, checkInput(filters)),
    check: (filters) => void checkInput(filters),
  }
}

/** A page that no list has: it is counted, no row of it is built. */
const PAST_THE_END = 1_000_000

/**
 * Serves a call that needs the raw request: sign-in, machine calls, which bring a signature instead
 * of a session, and calls whose secrets no stored answer may hold.
 */
export function serveOpen<E extends Endpoint>(
  app: FastifyInstance,
  context: AppContext,
  e: E,
  handler: (request: FastifyRequest, reply: FastifyReply, input: InputOf<E>) => Promise<DataOf<E>>,
): void {
  const readInput = inputReader(e)
  const check = answerCheck(context, e)
  route(app, e, async (request, reply) => {
    const result = await handler(request, reply, readInput(request) as InputOf<E>)
    check(result)
    return send(reply, result)
  })
}

/** Serves a command: one transaction with idempotency, operate log and events. */
export function serveCommand<E extends Endpoint>(
  app: FastifyInstance,
  context: AppContext,
  e: E,
  handler: (tx: CommandTx, input: InputOf<E>) => Promise<Answer<E>>,
): void {
  command(app, context, e, { before: async () => null, repeats: (input) => input }, handler)
}

/**
 * Serves a command that has to know something first, which is read before its transaction (inside,
 * the read would wait for a connection of its own). What the read refuses, the command is refused
 * for.
 */
export function serveAfterReading<E extends Endpoint, Read>(
  app: FastifyInstance,
  context: AppContext,
  e: E,
  read: (query: Query, input: InputOf<E>) => Promise<Read>,
  handler: (tx: CommandTx, input: InputOf<E>, found: Read) => Promise<Answer<E>>,
): void {
  const before = (request: FastifyRequest, input: InputOf<E>): Promise<Read | Problem> =>
    foundOrRefused(() =>
      read({ db: context.database.kysely, actor: staff(request.actor as Actor), context }, input),
    )
  command(app, context, e, { before, repeats: (input) => input }, (tx, input, found) => {
    if (found instanceof Problem) throw found
    return handler(tx, input, found)
  })
}

/**
 * What was found before a command, or what it was refused for: the command throws that, so that it
 * is logged as its own.
 */
export async function foundOrRefused<Found>(find: () => Promise<Found>): Promise<Found | Problem> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/**
 * Serves a command that brings files; its fields come as texts. The same request carries the same
 * files, to the byte.
 */
export function serveUpload<E extends Endpoint>(
  app: FastifyInstance,
  context: AppContext,
  e: E,
  handler: (tx: CommandTx, input: InputOf<E>, files: readonly Upload[]) => Promise<Answer<E>>,
): void {
  const rules = fileRules(e)
  if (rules.length === 0) throw new TypeError(`${e.path} takes no files`)
  // a plugin of its own: other routes keep to JSON
  void app.register(async (own) => {
    const filesOf = takeUploads(own, rules, (request) => checkAccess(e, request))
    command(
      own,
      context,
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

/**
 * What a command takes up before its transaction, and what of it a repeated request must bring
 * again.
 */
interface Before<E extends Endpoint, Extra> {
  before(request: FastifyRequest, input: InputOf<E>): Promise<Extra>
  repeats(input: InputOf<E>, extra: Extra): unknown
}

function command<E extends Endpoint, Extra>(
  app: FastifyInstance,
  context: AppContext,
  e: E,
  { before, repeats }: Before<E, Extra>,
  handler: (tx: CommandTx, input: InputOf<E>, extra: Extra) => Promise<Answer<E>>,
): void {
  const { audit } = e
  if (audit === undefined) throw new TypeError(`${e.path} has no audit name`)
  const readInput = inputReader(e)
  const check = answerCheck(context, e)
  route(app, e, async (request, reply) => {
    const input = readInput(request) as InputOf<E>
    const extra = await before(request, input)
    const key = idempotencyKey(e, request)
    const actor = request.actor ?? systemActor('anonymous', request.id)
    const outcome = await runCommand(
      context,
      {
        actor,
        audit: { action: audit, menu: e.menu },
        repeatable:
          key === null
            ? null
            : keyed(context, actor, {
                route: `${e.method} ${e.path}`,
                key,
                input: repeats(input, extra),
              }),
        answer: (result) => {
          check(result as Answer<E>)
          return result instanceof FileAnswer ? '' : envelope(result)
        },
      },
      (tx) => handler(tx, input, extra),
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
    handler: async (request, reply) => {
      checkAccess(e, request)
      return run(request, reply)
    },
  })
}

/** @throws Problem G401, G403 */
function checkAccess(e: Endpoint, { actor }: FastifyRequest): void {
  const isOpen = e.access === 'none' || (typeof e.access === 'object' && 'machine' in e.access)
  if (!isOpen && actor === null) throw new Problem(SESSION_EXPIRED)
  const rights = actor?.rights
  // machine calls are accepted by their signature (machine.ts), never by a session
  if (rights && !mayCall(e.access, rights.permissions)) throw new Problem(FORBIDDEN)
}
