/**
 * The write path: one command, one transaction. What a command emits, logs, notifies and answers is
 * collected and written by one statement at its end, while its row locks are still held, so the
 * events of an entity are in the log in the order of its versions. Nothing is sent before the
 * commit. An idempotency key that is taken fails that statement: the same request was carried out
 * before, this run is rolled back, and the stored answer is returned.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Static, TObject } from 'typebox'
import type { LiveEventKind } from '#shared/kernel/live.ts'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import { KEY_REUSED, Problem, STORAGE_FULL } from '#shared/kernel/problem.ts'
import { inTransaction, type Send, type Trx } from '#gateway/manage/db/transaction.ts'
import type { Actor } from './actor.ts'
import type { AppContext } from './app-context.ts'
import type { Repeatable, StoredAnswer } from './repeatable.ts'

export interface EmittedEvent<Data> {
  /** `kind:id` of what changed. */
  subject: string
  /** Version of the subject after the change, when it has one. */
  version?: number
  rooms: readonly string[]
  data: Data
  /** Sockets in these rooms must check again which rooms they may join. */
  recheck?: boolean
}

export interface AuditEntry {
  menu?: string
  action: string
  targetKind?: string
  targetId?: string
  before?: unknown
  after?: unknown
  /** The request of another person that is carried out. */
  approvalId?: string
}

export interface Notification {
  userId: string
  kind:
    | 'assigned'
    | 'taken'
    | 'handover'
    | 'approval'
    | 'decision'
    | 'sla'
    | 'promise'
    | 'job'
    | 'system'
  titleKey: string
  params: Record<string, string | number>
  route: string
}

/** What a command is given, and the only way it reaches the database. */
export interface CommandTx {
  readonly db: Trx
  readonly actor: Actor
  readonly context: AppContext
  /** Clock of the database now (not of the transaction's start), ISO 8601 UTC. */
  now(): Promise<string>
  emit<Data extends TObject>(
    kind: LiveEventKind<string, Data>,
    event: EmittedEvent<Static<Data>>,
  ): void
  log(entry: AuditEntry): void
  notify(notification: Notification): void
  /** Sends a statement whose answer is waited for together with the commit. */
  readonly send: Send
  /** Runs once the transaction is committed: wake-ups only, never effects. */
  afterCommit(run: () => void): void
}

export interface CommandOptions {
  actor: Actor
  /** Written when the command logs nothing itself. */
  audit: AuditEntry
  /** Remembers a request that may come again. */
  repeatable?: Repeatable | null
  /** Is carried out while changes are refused for want of space: it lets people in. */
  whenFull?: true
  /** Turns the result into the answer's text; a repeated request gets it again byte for byte. */
  answer?: (result: unknown) => string
}

interface Done<T> {
  kind: 'done'
  result: T
  answer: string | null
}
export type Outcome<T> = Done<T> | { kind: 'replayed'; answer: string }

/**
 * Runs a command in its transaction.
 * @returns the result, or the stored answer when the same request was answered before; what is not
 * repeatable has none and is never replayed
 * @throws Problem STORAGE_FULL before it begins; Problem as the command does (refusals are logged,
 * and stored as the answer where they are one), KEY_REUSED for the same key with another payload
 */
export function runCommand<T>(
  context: AppContext,
  options: CommandOptions & { repeatable?: null },
  command: (tx: CommandTx) => Promise<T>,
): Promise<Done<T>>
export function runCommand<T>(
  context: AppContext,
  options: CommandOptions,
  command: (tx: CommandTx) => Promise<T>,
): Promise<Outcome<T>>
export async function runCommand<T>(
  context: AppContext,
  options: CommandOptions,
  command: (tx: CommandTx) => Promise<T>,
): Promise<Outcome<T>> {
  if (context.storage.isFull() && options.whenFull !== true) throw new Problem(STORAGE_FULL)
  const after: (() => void)[] = []
  let wroteEvents = false
  try {
    const outcome = await inTransaction(
      context.database,
      async (trx, endWith, send): Promise<Outcome<T>> => {
        after.length = 0
        const { tx, pending } = contextOf(context, options, { trx, after, send })
        const result = await command(tx)
        const answer = options.answer ? options.answer(result) : null
        if (pending.audit.length === 0) tx.log(options.audit)
        endWith(tracesOf(options, pending, answer))
        wroteEvents = pending.events.length > 0 || pending.notifications.length > 0
        return { kind: 'done', result, answer }
      },
    )
    if (wroteEvents) context.wakeRelay()
    for (const run of after) run()
    return outcome
  } catch (error) {
    return await settleFailure(context, options, error)
  }
}

/**
 * Whatever stopped this run - a taken key, what the first run changed, a connection that ended at
 * the commit - the answer of the same request's first run counts. Without one a refusal is
 * recorded, and the error continues.
 */
async function settleFailure(
  context: AppContext,
  options: CommandOptions,
  failure: unknown,
): Promise<{ kind: 'replayed'; answer: string }> {
  const { repeatable } = options
  let error = failure
  if (repeatable) {
    const stored = await storedAnswer(context, repeatable)
    if (stored?.isSame) return { kind: 'replayed', answer: stored.answer }
    if (stored) error = new Problem(KEY_REUSED)
  }
  if (isRefusal(error) && !(await recordRefusal(context, options, error)) && repeatable) {
    // the same request, sent twice at once, was refused for something else a moment ago
    const first = await storedAnswer(context, repeatable)
    if (first?.isSame) return { kind: 'replayed', answer: first.answer }
  }
  throw error
}

function isRefusal(error: unknown): error is Problem | IllegalTransition {
  return error instanceof Problem || error instanceof IllegalTransition
}

interface Pending {
  events: Record<string, unknown>[]
  audit: Record<string, unknown>[]
  notifications: Record<string, unknown>[]
}

function contextOf(
  context: AppContext,
  options: CommandOptions,
  { trx, after, send }: { trx: Trx; after: (() => void)[]; send: Send },
): { tx: CommandTx; pending: Pending } {
  const { actor } = options
  const pending: Pending = { events: [], audit: [], notifications: [] }
  const tx: CommandTx = {
    db: trx,
    actor,
    context,
    async now() {
      const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(trx)
      return (rows[0] as { now: string }).now
    },
    emit(kind, event) {
      pending.events.push({
        type: kind.type,
        subject: event.subject,
        rooms: [...new Set(event.rooms)],
        data: event.data,
        actor_id: actor.userId,
        actor_name: actor.userName,
        client_id: actor.clientId,
        entity_version: event.version ?? null,
        recheck: event.recheck ?? false,
      })
    },
    log(entry) {
      pending.audit.push(auditRow(options, entry, 'ok'))
    },
    notify(notification) {
      pending.notifications.push({
        user_id: notification.userId,
        kind: notification.kind,
        title_key: notification.titleKey,
        params: notification.params,
        route: notification.route,
      })
      pending.events.push({
        type: 'notification.changed',
        subject: `user:${notification.userId}`,
        rooms: [`user:${notification.userId}`],
        data: {
          kind: notification.kind,
          titleKey: notification.titleKey,
          params: notification.params,
          route: notification.route,
        },
        actor_id: actor.userId,
        actor_name: actor.userName,
        client_id: null,
        entity_version: null,
        recheck: false,
      })
    },
    send,
    afterCommit(run) {
      after.push(run)
    },
  }
  return { tx, pending }
}

async function storedAnswer(
  context: AppContext,
  { find, open }: Repeatable,
): Promise<StoredAnswer | null> {
  const { rows } = await find.execute(context.database.kysely)
  const stored = rows[0]
  return stored ? { isSame: stored.isSame, answer: open(stored.answer) } : null
}

/** One statement for everything a command leaves behind. */
function tracesOf(
  { repeatable }: CommandOptions,
  pending: Pending,
  answer: string | null,
): RawBuilder<unknown> {
  return sql`
    with events as (
      insert into outbox_event (type, subject, rooms, data, actor_id, actor_name, client_id, entity_version,
        recheck)
      select e.type, e.subject, e.rooms, e.data, e.actor_id, e.actor_name, e.client_id, e.entity_version,
        e.recheck
      from jsonb_to_recordset(${JSON.stringify(pending.events)}::jsonb)
        as e (type text, subject text, rooms text[], data jsonb, actor_id text, actor_name text,
          client_id text, entity_version int, recheck boolean)
    ), notifications as (
      insert into notification (user_id, kind, title_key, params, route)
      select n.user_id, n.kind, n.title_key, n.params, n.route
      from jsonb_to_recordset(${JSON.stringify(pending.notifications)}::jsonb) as n (user_id text,
        kind text, title_key text, params jsonb, route text)
    )${repeatable ? sql`, answered as (${repeatable.keep(answer ?? '')})` : sql``}
    ${insertLog(pending.audit)}`
}

function insertLog(rows: Record<string, unknown>[]) {
  return sql`
    insert into operate_log (user_id, user_name, role_mark, menu, action, target_kind, target_id, before,
      after, result, ip, agent, request_id, approval_id)
    select l.user_id, l.user_name, l.role_mark, l.menu, l.action, l.target_kind, l.target_id, l.before,
      l.after, l.result, l.ip, l.agent, l.request_id, l.approval_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as l (user_id text, user_name text, role_mark text, menu text, action text, target_kind text,
        target_id text, before jsonb, after jsonb, result text, ip text, agent text, request_id text,
        approval_id text)`
}

function auditRow(
  options: CommandOptions,
  entry: AuditEntry,
  result: string,
): Record<string, unknown> {
  const { actor, audit } = options
  return {
    user_id: actor.userId,
    user_name: actor.userName,
    role_mark: actor.rights?.roleMark ?? null,
    menu: entry.menu ?? audit.menu ?? null,
    action: entry.action,
    target_kind: entry.targetKind ?? null,
    target_id: entry.targetId ?? null,
    before: entry.before ?? null,
    after: entry.after ?? null,
    result,
    ip: actor.ip,
    agent: actor.agent,
    request_id: actor.requestId,
    approval_id: entry.approvalId ?? null,
  }
}

/**
 * A refused attempt leaves its row in the operate log, and with a key its answer; the command's own
 * transaction is gone by then.
 * @returns false when the key has an answer already
 */
async function recordRefusal(
  context: AppContext,
  options: CommandOptions,
  error: Problem | IllegalTransition,
): Promise<boolean> {
  const id = error instanceof Problem ? error.id : `${error.lifecycle}:${error.event}`
  const logged = insertLog([auditRow(options, options.audit, `refused:${id}`)])
  const { repeatable } = options
  if (!repeatable?.keepsRefusals || !(error instanceof Problem) || error.id === KEY_REUSED.id) {
    await logged.execute(context.database.kysely)
    return true
  }
  const { rows } = await sql<{ stored: number }>`
    with answered as (${repeatable.keep(refusalAnswer(error))} on conflict do nothing
      returning 1), logged as (${logged})
    select count(*)::int as stored from answered`.execute(context.database.kysely)
  return rows[0]?.stored === 1
}

/** The envelope of a refusal. */
export function refusalAnswer(error: Problem): string {
  return JSON.stringify({
    code: error.code,
    msg: error.message,
    data: error.data,
    problem: { id: error.id, params: error.params },
  })
}
