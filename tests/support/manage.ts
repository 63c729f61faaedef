/**
 * A whole manage for a test: real Fastify, real database, every built-in role with its accounts. By
 * default it has all features; a test may pass only the parts it needs.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import {
  type DataOf,
  type Endpoint,
  fileRules,
  type InputOf,
  placeOf,
} from '#shared/kernel/endpoint.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { ROLES } from '#shared/session/roles.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import { BASE, buildCore, type Manage, type ManageDeps } from '#gateway/manage/core.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { makeMonths } from '#gateway/manage/db/months.ts'
import { session } from '#gateway/manage/features/session/feature.ts'
import { hashPassword } from '#gateway/manage/features/session/password.ts'
import { syncRolesAndMenus } from '#gateway/manage/features/session/sync-menus.ts'
import type { OnLogout } from '#gateway/manage/features/session/session-routes.ts'
import { jobs } from '#gateway/manage/jobs/feature.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { Audience } from '#gateway/manage/kernel/audience.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { testDatabase } from './database.ts'

export const PASSWORD = 'Floor#2026'
const MORE_ACCOUNTS: Record<string, number> = {
  reviewer: 6,
  quality_inspector: 2,
  manager: 2,
  customer_service: 2,
}

/** Expected failures would otherwise be printed as errors. */
const SILENT = createLogger('silent')
let passwordHash: Promise<string> | null = null

export interface Person {
  readonly token: string
  userId: string
  /** @throws Error when the call is refused */
  call<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    headers?: Record<string, string>,
  ): Promise<DataOf<E>>
  /** The envelope of a refusal. @throws Error when the call is not refused */
  refused(
    endpoint: Endpoint,
    input: unknown,
    headers?: Record<string, string>,
  ): Promise<Envelope<unknown>>
  /** Any answer. */
  send(
    endpoint: Endpoint,
    input: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
}

export interface Floor {
  manage: Manage
  context: AppContext
  database: Database
  internalSecret: string
  /** Signs in by account (`reviewer`, `reviewer2`, …). */
  signIn(account: string, password?: string): Promise<Person>
  /** Runs background work and publishes events. */
  settle(): Promise<void>
  /** Newest published events, oldest first, after a number. */
  events(after?: number): Promise<
    {
      seq: number
      type: string
      subject: string
      rooms: string[]
      data: Record<string, unknown>
      entity_version: number | null
    }[]
  >
  /** Another core of the same book, with caches of its own; ends with the first. */
  addCore(): Promise<Manage>
  close(): Promise<void>
}

/** What a test brings instead of all features. */
export interface TestParts {
  menus?: readonly MenuItem[]
  audiences?: readonly Audience[]
  schedules?: readonly ScheduledClass[]
  jobTypes?: readonly JobType[]
  onLogout?: readonly OnLogout[]
  routes?: (base: FastifyInstance, context: AppContext, app: FastifyInstance) => void
}

type PartsOf = (context: AppContext, app: FastifyInstance) => TestParts

export async function testManage(options: { parts?: PartsOf } = {}): Promise<Floor> {
  const { database, close: closeDatabase } = await testDatabase()
  const deps = {
    database,
    masterKey: Buffer.alloc(32, 1),
    log: SILENT,
    version: { version: 'test', commit: 'test', build: 'test' },
    internalSecret: randomBytes(16).toString('hex'),
    production: false,
    checkAnswers: true,
  }
  const manage = options.parts ? await partialManage(deps, options.parts) : await wholeManage(deps)
  // the prepared database may be months old
  await makeMonths(database)
  await syncRolesAndMenus(database, manage.parts.menus)
  await addAccounts(database)
  const others: Manage[] = []
  return {
    manage,
    context: manage.context,
    database,
    internalSecret: deps.internalSecret,
    signIn: (account, password) => signIn(manage.app, account, password),
    settle: () => manage.settle(),
    async events(after = 0) {
      await manage.settle()
      const { rows } = await sql<{
        seq: number
        type: string
        subject: string
        rooms: string[]
        data: Record<string, unknown>
        entity_version: number | null
      }>`
        select e.seq, e.type, e.subject, e.rooms, e.data, e.entity_version from outbox_event e
          where e.seq > ${after} order by e.seq`.execute(database.kysely)
      return rows
    },
    async addCore() {
      const other = await wholeManage(deps)
      others.push(other)
      return other
    },
    async close() {
      for (const other of others) await other.close()
      await manage.close()
      await closeDatabase()
    },
  }
}

/** Sessions and jobs with what the test brings, its menus only. */
function partialManage(deps: ManageDeps, partsOf: PartsOf): Promise<Manage> {
  let app: FastifyInstance
  const brought = (context: AppContext): Feature => {
    const { menus, audiences, schedules, jobTypes, onLogout = [], routes } = partsOf(context, app)
    return {
      menu: menus,
      audience: audiences,
      schedules,
      jobTypes,
      hooks: { onLogout },
      routes: (base) => routes?.(base, context, app),
    }
  }
  return buildCore(deps, [{ ...session, menu: [] }, jobs, brought], {
    settings: { production: false, machineReview: 'external', privateVendors: true },
    vendorsOf(_context, made) {
      app = made
      return {
        payout: null,
        messages: null,
        aiCalls: null,
        checks: null,
        pages: null,
        voice: null,
        storage: null,
      }
    },
  })
}

async function wholeManage(deps: ManageDeps): Promise<Manage> {
  const { buildManage } = await import('#gateway/manage/manage.ts')
  return buildManage(deps, { kind: 'sandbox', delayMs: [0, 0] }, undefined, undefined, undefined, {
    kind: 'sandbox',
    delayMs: [0, 0],
  })
}

/** The accounts of the demo: one per role, some with more. */
export async function addAccounts(database: Database): Promise<void> {
  passwordHash ??= hashPassword(PASSWORD)
  const hash = await passwordHash
  // The users of most tests sign in by password alone.
  await sql`update sys_config set value = 'false' where code = 'login.twoFactorRequired'`.execute(
    database.kysely,
  )
  // A decision takes effect at once, so that no test waits; those of the undo set it again.
  await sql`update sys_config set value = '0' where code = 'review.undoSeconds'`.execute(
    database.kysely,
  )
  const accounts = ROLES.flatMap(({ mark, name }) =>
    Array.from({ length: MORE_ACCOUNTS[mark] ?? 1 }, (_, n) => ({
      account: n === 0 ? mark : `${mark}${n + 1}`,
      name: `${name} ${n + 1}`,
      mark,
    })),
  )
  await sql`
    insert into sys_user (account, nickname, user_name, password_hash, role_id)
    select d.account, d.account, d.name, ${hash}, g.id
      from jsonb_to_recordset(${JSON.stringify(accounts.map((one, n) => ({ n, ...one })))}::jsonb) as d(n
      int, account text, name text, mark text)
    join sys_role g on g.unique_mark = d.mark order by d.n`.execute(database.kysely)
}

async function signIn(app: FastifyInstance, account: string, password = PASSWORD): Promise<Person> {
  const answer = await app.inject({
    method: 'POST',
    url: `${BASE}/login`,
    payload: { username: account, password },
  })
  const body = answer.json<Envelope<{ token: string }>>()
  if (body.code !== 200) throw new Error(`${account} cannot sign in: ${body.msg}`)
  let { token } = body.data
  const send: Person['send'] = async (endpoint, input, headers) => {
    const answered = await request(app, endpoint, input, { authorization: token, ...headers })
    // A renewed token is stored, as every client does; a token given by the test stays.
    const { authorization: renewed } = answered.headers
    if (typeof renewed === 'string' && headers?.authorization === undefined) token = renewed
    return answered
  }
  const info = (
    await app.inject({ method: 'GET', url: `${BASE}/get/info`, headers: { authorization: token } })
  ).json<Envelope<{ user: { userId: string } }>>()
  if (info.code !== 200) throw new Error(`${account} has no session: ${info.code} ${info.msg}`)
  return {
    get token() {
      return token
    },
    userId: info.data.user.userId,
    send,
    async call(endpoint, input, headers) {
      const { code, msg, data, problem } = (await send(endpoint, input, headers)).json<
        Envelope<DataOf<typeof endpoint>>
      >()
      if (code !== 200)
        throw new Error(
          `${endpoint.path} refused: ${code} ${problem?.id ?? ''} ${msg} ${JSON.stringify(data)}`,
        )
      return data
    },
    async refused(endpoint, input, headers) {
      const body = (await send(endpoint, input, headers)).json<Envelope<unknown>>()
      if (body.code === 200) throw new Error(`${endpoint.path} was not refused`)
      return body
    },
  }
}

/**
 * Sends an input where the endpoint expects it; a command gets an idempotency key unless the caller
 * gives one.
 */
export function request(
  app: FastifyInstance,
  e: Endpoint,
  input: unknown,
  headers: Record<string, string>,
): Promise<LightMyRequestResponse> {
  const rest = { ...(input as Record<string, unknown>) }
  const path = e.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const key: Record<string, string> =
    e.audit === undefined ? {} : { 'idempotency-key': randomUUID() }
  if (fileRules(e).some(({ name }) => Array.isArray(rest[name])))
    return sendForm(app, e, rest, { ...key, ...headers })
  if (placeOf(e) === 'body')
    return app.inject({
      method: e.method,
      url: BASE + path,
      payload: rest,
      headers: { ...key, ...headers },
    })
  const query = Object.fromEntries(
    Object.entries(rest)
      .filter(([, v]) => v !== undefined)
      .map(([k, v]) => [k, String(v)]),
  )
  return app.inject({ method: e.method, url: BASE + path, query, headers: { ...key, ...headers } })
}

/** As a browser sends a form with files. */
async function sendForm(
  app: FastifyInstance,
  e: Endpoint,
  input: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<LightMyRequestResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(input)) {
    if (Array.isArray(value))
      for (const [i, bytes] of value.entries())
        form.append(
          name,
          new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/png' }),
          `receipt-${i}.png`,
        )
    else if (value !== undefined) form.append(name, String(value))
  }
  const message = new Response(form)
  return app.inject({
    method: e.method,
    url: BASE + e.path,
    payload: Buffer.from(await message.arrayBuffer()),
    headers: { ...headers, 'content-type': message.headers.get('content-type') ?? '' },
  })
}
