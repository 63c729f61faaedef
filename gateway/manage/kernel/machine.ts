/**
 * Calls of machines: customer app, machine review, payout vendor. They bring a signature instead of
 * a session; it is checked before the body is looked at. The event id makes a call repeatable.
 */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { BAD_REQUEST, FORBIDDEN, Problem, type ProblemKind } from '#shared/kernel/problem.ts'
import { readPrepared } from '#gateway/manage/db/prepared.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { type Actor, systemActor } from './actor.ts'
import { type CommandTx, runCommand } from './command.ts'
import type { AppContext } from './app-context.ts'
import type { MachineCaller } from './machine-caller.ts'
import { isSignatureValid } from './machine-signature.ts'
import { answerSeal, type Repeatable, type StoredAnswer } from './repeatable.ts'
import type { SealedColumn } from './sealed-column.ts'
import { foundOrRefused, serveOpen } from './serve.ts'

export const BAD_SIGNATURE: ProblemKind = {
  id: 'G-SIGN',
  code: 401,
  msg: 'The signature is not valid',
}

const CACHE_MS = 700
const KEY_PLACE = 'machine_key.secret'
export const MACHINE_KEY_SECRET: SealedColumn = {
  place: KEY_PLACE,
  table: 'machine_key',
  column: 'secret_enc',
}
const ID_FORM = /^[A-Za-z0-9._:-]{1,80}$/
/** An application carries up to four photos. */
const BODY_LIMIT = 5 * 1024 * 1024

interface SignedRequest {
  keyId: string
  caller: MachineCaller
  eventId: string
  body: string
}

/**
 * Serves a signed call as a command: one transaction with operate log and events, at most once per
 * event id of a key.
 */
export function serveMachine<E extends Endpoint>(
  app: FastifyInstance,
  context: AppContext,
  e: E,
  handler: (tx: CommandTx, input: InputOf<E>, caller: MachineCaller) => Promise<DataOf<E>>,
  bodyLimit = BODY_LIMIT,
): void {
  serveMachineAfter(app, context, e, async (input) => input, handler, bodyLimit)
}

/**
 * Serves one whose input takes time to be made ready (pictures), which is done before its
 * transaction: no lock waits for it. What `ready` refuses, the command is refused for.
 */
export function serveMachineAfter<E extends Endpoint, Ready>(
  app: FastifyInstance,
  context: AppContext,
  e: E,
  ready: (input: InputOf<E>) => Promise<Ready>,
  handler: (tx: CommandTx, input: Ready, caller: MachineCaller) => Promise<DataOf<E>>,
  bodyLimit = BODY_LIMIT,
): void {
  if (typeof e.access !== 'object' || !('machine' in e.access) || e.audit === undefined)
    throw new TypeError(`${e.path} is not a machine's command`)
  const scope = e.access.machine
  const audit = { action: e.audit, menu: e.menu }
  const bodies = new WeakMap<FastifyRequest, string>()
  const signed = new WeakMap<FastifyRequest, SignedRequest>()
  const findKey = keyFinder(context)
  void app.register(async (own) => {
    own.removeContentTypeParser('application/json')
    own.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit },
      (request, body, done) => {
        bodies.set(request, body as string)
        done(null, null)
      },
    )
    // the framework's own reader: it refuses keys that reach for a prototype
    const readJson = own.getDefaultJsonParser('error', 'error')
    own.addHook('preHandler', async (request) => {
      const call = await readSigned(findKey, request, bodies.get(request) ?? '', scope)
      signed.set(request, call)
      request.body = await new Promise((resolve, refuse) => {
        void readJson(request, call.body, (error, body) =>
          error ? refuse(new Problem(BAD_REQUEST)) : resolve(body),
        )
      })
    })
    serveOpen(own, context, e, async (request, _reply, input) => {
      // the hook above has set it, or refused
      const call = signed.get(request) as SignedRequest
      const actor: Actor = { ...systemActor(call.caller.name, request.id), ip: request.ip }
      const found = await foundOrRefused(() => ready(input))
      const outcome = await runCommand(
        context,
        { actor, audit, repeatable: inboundEvent(context, call, e.path), answer: JSON.stringify },
        async (tx) => {
          if (found instanceof Problem) throw found
          return handler(tx, found, call.caller)
        },
      )
      if (outcome.kind === 'done') return outcome.result
      await runCommand(
        context,
        {
          actor,
          audit: {
            ...audit,
            action: `${audit.action}.repeated`,
            targetKind: 'event',
            targetId: call.eventId,
          },
        },
        async () => null,
      )
      return JSON.parse(outcome.answer) as DataOf<typeof e>
    })
  })
}

/**
 * Serves a signed call that only reads. It has no body, so the query is what is signed; a repeat
 * reads again, and nothing is logged.
 */
export function serveMachineQuery<E extends Endpoint>(
  app: FastifyInstance,
  context: AppContext,
  e: E,
  handler: (db: Db, input: InputOf<E>) => Promise<DataOf<E>>,
): void {
  if (typeof e.access !== 'object' || !('machine' in e.access) || e.audit !== undefined)
    throw new TypeError(`${e.path} is not a machine's question`)
  const scope = e.access.machine
  const findKey = keyFinder(context)
  void app.register(async (own) => {
    own.addHook('preHandler', async (request) => {
      await readSigned(findKey, request, request.url.split('?', 2)[1] ?? '', scope)
    })
    serveOpen(own, context, e, (_request, _reply, input) => handler(context.database.kysely, input))
  })
}

/** Keeps no refusal: a refused event has no effect and may be sent again. */
function inboundEvent(
  { secrets }: Pick<AppContext, 'secrets'>,
  { keyId, eventId, body }: SignedRequest,
  path: string,
): Repeatable {
  const seal = answerSeal(secrets, 'inbound_event.result', `${keyId} ${eventId}`)
  const hash = createHash('sha256').update(`${path}\n${body}`).digest()
  return {
    find: sql<StoredAnswer>`
      select e.request_hash = ${hash} as "isSame", e.result #>> '{}' as answer from inbound_event e
        where e.source = ${keyId} and e.event_id = ${eventId}`,
    // kept as a text, so that the repeated answer is the same to the letter
    keep: (answer) =>
      sql`
        insert into inbound_event (source, event_id, request_hash, result)
          values (${keyId}, ${eventId}, ${hash}, to_jsonb(${seal.close(answer)}::text))`,
    open: seal.open,
    keepsRefusals: false,
  }
}

interface Key {
  name: string
  vendorCode: string | null
  secret: string
  scopes: string[]
}
type FindKey = (keyId: string) => Promise<Key | null>

/**
 * An enabled key, read through a short cache: one that is disabled is refused within the cache's
 * life, as a session that was ended is.
 */
function keyFinder({ database, secrets }: AppContext): FindKey {
  const cache = new Map<string, { at: number; key: Key }>()
  return async (keyId) => {
    const cached = cache.get(keyId)
    if (cached && performance.now() - cached.at < CACHE_MS) return cached.key
    cache.delete(keyId)
    const [row] = await readPrepared(
      database,
      sql<{
        name: string
        vendor_code: string | null
        secret_enc: Buffer
        scopes: string[]
      }>`select k.name, k.vendor_code, k.secret_enc, k.scopes from machine_key k
        where k.id = ${keyId} and k.status = 'enabled'`,
    )
    if (!row) return null
    const key = {
      name: row.name,
      vendorCode: row.vendor_code,
      secret: secrets.open(KEY_PLACE, keyId, row.secret_enc),
      scopes: row.scopes,
    }
    cache.set(keyId, { at: performance.now(), key })
    return key
  }
}

/**
 * @throws Problem G-SIGN for an unknown key, a wrong signature or a clock more than 300 s off; G403
 * for a key without the scope
 */
async function readSigned(
  findKey: FindKey,
  request: FastifyRequest,
  body: string,
  scope: string,
): Promise<SignedRequest> {
  const keyId = header(request, 'x-key-id')
  const eventId = header(request, 'x-event-id')
  if (!ID_FORM.test(keyId) || !ID_FORM.test(eventId)) throw new Problem(BAD_SIGNATURE)
  const key = await findKey(keyId)
  const given = {
    signature: header(request, 'x-signature'),
    timestamp: header(request, 'x-timestamp'),
    eventId,
    body,
  }
  if (!key || !isSignatureValid(given, key.secret, Date.now())) throw new Problem(BAD_SIGNATURE)
  if (!key.scopes.includes(scope)) throw new Problem(FORBIDDEN)
  return { keyId, caller: { name: key.name, vendorCode: key.vendorCode }, eventId, body }
}

function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

export interface MachineKey {
  keyId: string
  secret: string
}
interface NewMachineKey {
  name: string
  scopes: readonly string[]
  vendorCode?: string | null
  secret?: string
}

/**
 * Makes a key; the secret is shown this once.
 * @param given.name unique, what the operate log shows as the actor
 * @param given.vendorCode the vendor it speaks for (machine-caller.ts)
 */
export async function createMachineKey(
  context: Pick<AppContext, 'database' | 'secrets'>,
  { name, scopes, vendorCode = null, secret }: NewMachineKey,
): Promise<MachineKey> {
  const keyId = `MK${randomBytes(8).toString('hex')}`
  const given = secret ?? randomBytes(32).toString('base64url')
  await sql`
    insert into machine_key (id, name, secret_enc, scopes, vendor_code)
      values (${keyId}, ${name}, ${context.secrets.seal(KEY_PLACE, keyId, given)}, ${[...scopes]},
        ${vendorCode})`.execute(context.database.kysely)
  return { keyId, secret: given }
}

/**
 * The key of that name, made when there is none: for parts of the product itself, such as a sandbox
 * vendor.
 */
export async function ownMachineKey(
  context: AppContext,
  given: Omit<NewMachineKey, 'secret'>,
): Promise<MachineKey> {
  const { rows } = await sql<{
    id: string
    secret_enc: Buffer
  }>`select k.id, k.secret_enc from machine_key k where k.name = ${given.name}`.execute(
    context.database.kysely,
  )
  const key = rows[0]
  if (key) return { keyId: key.id, secret: context.secrets.open(KEY_PLACE, key.id, key.secret_enc) }
  return createMachineKey(context, given)
}
