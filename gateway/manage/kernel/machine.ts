/**
 * Calls of machines: customer app, machine review, payout vendor. They bring a signature instead of a session; it is checked
 * before the body is looked at. The event id makes a call repeatable: its row is written in the command's transaction, so the
 * effect and the memory of it are one. A refused event has no effect and is not remembered: it may be sent again.
 */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { BAD_REQUEST, FORBIDDEN, KEY_REUSED, Problem, type ProblemKind } from '#shared/kernel/problem.ts'
import { readPrepared } from '#gateway/manage/db/prepared.ts'
import { type Actor, systemActor } from './actor.ts'
import { type Cx, runCommand } from './command.ts'
import type { House } from './house.ts'
import { isSignatureValid } from './machine-signature.ts'
import { serveOpen } from './serve.ts'

export const BAD_SIGNATURE: ProblemKind = { id: 'G-SIGN', code: 401, msg: 'The signature is not valid' }

const KEY_PLACE = 'machine_key.secret'
const ID_FORM = /^[A-Za-z0-9._:-]{1,80}$/
/** An application carries up to four photos. */
const BODY_LIMIT = 5 * 1024 * 1024

interface SignedRequest {
  keyId: string
  keyName: string
  eventId: string
  body: string
}

/** Serves a signed call as a command: one transaction with operate log and events, at most once per event id of a key. */
export function serveMachine<E extends Endpoint>(app: FastifyInstance, house: House, e: E, handler: (cx: Cx, input: InputOf<E>) => Promise<DataOf<E>>, bodyLimit = BODY_LIMIT): void {
  if (typeof e.access !== 'object' || !('machine' in e.access) || e.audit === undefined) throw new TypeError(`${e.path} is not a machine's command`)
  const scope = e.access.machine
  const audit = { action: e.audit, menu: e.menu }
  const bodies = new WeakMap<FastifyRequest, string>()
  const signed = new WeakMap<FastifyRequest, SignedRequest>()
  void app.register(async (own) => {
    own.removeContentTypeParser('application/json')
    own.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (request, body, done) => {
      bodies.set(request, body as string)
      done(null, null)
    })
    // the framework's own reader: it refuses keys that reach for a prototype
    const readJson = own.getDefaultJsonParser('error', 'error')
    own.addHook('preHandler', async (request) => {
      const call = await readSigned(house, request, bodies.get(request) ?? '', scope)
      signed.set(request, call)
      request.body = await new Promise((resolve, refuse) => {
        void readJson(request, call.body, (error, body) => (error ? refuse(new Problem(BAD_REQUEST)) : resolve(body)))
      })
    })
    serveOpen(own, house, e, async (request, _reply, input) => {
      // the hook above has set it, or refused
      const call = signed.get(request) as SignedRequest
      const actor: Actor = { ...systemActor(call.keyName, request.id), ip: request.ip }
      const { result } = await runOnce(house, { actor, audit }, call, e.path, (cx) => handler(cx, input))
      return result
    })
  })
}

async function runOnce<T>(house: House, options: { actor: Actor; audit: { action: string; menu?: string } }, call: SignedRequest, path: string, command: (cx: Cx) => Promise<T>): Promise<{ result: T }> {
  const hash = createHash('sha256').update(`${path}\n${call.body}`).digest()
  let isFirst = false
  // kept as a text, so that the repeated answer is the same to the letter
  const last = (done: unknown) => (isFirst ? sql`update inbound_event set result = to_jsonb(${JSON.stringify((done as { result: T }).result)}::text) where source = ${call.keyId} and event_id = ${call.eventId}` : null)
  const { result } = await runCommand(house, { ...options, last }, async (cx): Promise<{ result: T }> => {
    // the same event sent at once waits here for the first one's commit
    const claimed = await sql`
      insert into inbound_event (source, event_id, request_hash, result) values (${call.keyId}, ${call.eventId}, ${hash}, 'null'::jsonb) on conflict (source, event_id) do nothing`.execute(cx.db)
    isFirst = claimed.numAffectedRows === 1n
    if (isFirst) return { result: await command(cx) }
    cx.log({ ...options.audit, action: `${options.audit.action}.repeated`, targetKind: 'event', targetId: call.eventId })
    return { result: await storedResult<T>(cx, call, hash) }
  })
  return result
}

async function storedResult<T>(cx: Cx, call: SignedRequest, hash: Buffer): Promise<T> {
  const { rows } = await sql<{ same: boolean; result: string }>`
    select e.request_hash = ${hash} as same, e.result from inbound_event e where e.source = ${call.keyId} and e.event_id = ${call.eventId}`.execute(cx.db)
  const stored = rows[0]
  if (!stored?.same) throw new Problem(KEY_REUSED)
  return JSON.parse(stored.result) as T
}

/** @throws Problem G-SIGN for an unknown key, a wrong signature or a clock more than 300 s off; G403 for a key without the scope */
async function readSigned(house: House, request: FastifyRequest, body: string, scope: string): Promise<SignedRequest> {
  const keyId = header(request, 'x-key-id')
  const eventId = header(request, 'x-event-id')
  if (!ID_FORM.test(keyId) || !ID_FORM.test(eventId)) throw new Problem(BAD_SIGNATURE)
  const [key] = await readPrepared(house.database, sql<{ name: string; secret_enc: Buffer; scopes: string[] }>`select k.name, k.secret_enc, k.scopes from machine_key k where k.id = ${keyId} and k.status = 'enabled'`)
  const given = { signature: header(request, 'x-signature'), timestamp: header(request, 'x-timestamp'), eventId, body }
  if (!key || !isSignatureValid(given, house.secrets.open(KEY_PLACE, keyId, key.secret_enc), Date.now())) throw new Problem(BAD_SIGNATURE)
  if (!key.scopes.includes(scope)) throw new Problem(FORBIDDEN)
  return { keyId, keyName: key.name, eventId, body }
}

function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

export interface MachineKey {
  keyId: string
  secret: string
}

/** Makes a key; the secret is shown this once. @param name unique, what the operate log shows as the actor */
export async function createMachineKey(house: Pick<House, 'database' | 'secrets'>, { name, scopes, secret }: { name: string; scopes: readonly string[]; secret?: string }): Promise<MachineKey> {
  const keyId = `MK${randomBytes(8).toString('hex')}`
  const given = secret ?? randomBytes(32).toString('base64url')
  await sql`insert into machine_key (id, name, secret_enc, scopes) values (${keyId}, ${name}, ${house.secrets.seal(KEY_PLACE, keyId, given)}, ${[...scopes]})`.execute(house.database.kysely)
  return { keyId, secret: given }
}

/** The key of that name, made when there is none: for parts of the product itself, such as a sandbox vendor. */
export async function ownMachineKey(house: House, name: string, scopes: readonly string[]): Promise<MachineKey> {
  const { rows } = await sql<{ id: string; secret_enc: Buffer }>`select k.id, k.secret_enc from machine_key k where k.name = ${name}`.execute(house.database.kysely)
  const key = rows[0]
  if (key) return { keyId: key.id, secret: house.secrets.open(KEY_PLACE, key.id, key.secret_enc) }
  return createMachineKey(house, { name, scopes })
}
