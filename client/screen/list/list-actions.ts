/**
 * What can be done from a list. An action names the endpoint behind it: who may, and whether it
 * waits for the connection, is read from there.
 */
import type { ReactNode } from 'react'
import { call } from '#client/session/call.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import type { ListAction, ListTools, PanelTools, Question } from './list-types.ts'

type Look<Of> = Omit<
  ListAction<Of>,
  | 'codes'
  | 'isCommand'
  | 'question'
  | 'prepare'
  | 'panel'
  | 'path'
  | 'openWindow'
  | 'act'
  | 'isBeside'
>

interface CallSpec<E extends Endpoint, Of> extends Look<Of> {
  input: (of: Of, tools: ListTools, reason: string) => InputOf<E> | Promise<InputOf<E>>
  confirm?: (of: Of, tools: ListTools) => Question
  /** Key of the message afterwards, or a text from the answer. */
  done?: string | ((data: DataOf<E>, tools: ListTools, of: Of) => string)
}

/** Calls an endpoint, after a question if there is one. */
export function callAction<E extends Endpoint, Of>(
  endpoint: E,
  { input, confirm, done, ...look }: CallSpec<E, Of>,
): ListAction<Of> {
  return {
    ...look,
    ...rightsOf(endpoint),
    ...(confirm === undefined ? {} : { question: confirm }),
    async act(of, tools, reason) {
      const values = await input(of, tools, reason)
      const data = await tools.send(endpoint, values).finally(tools.refetch)
      if (done !== undefined)
        tools.notify(typeof done === 'string' ? tools.t(done) : done(data, tools, of))
    },
  }
}

type BulkCall = Endpoint & { data: { static?: BulkResult } }

interface BulkSpec<E extends Endpoint, Row> extends Look<readonly Row[]> {
  input: (
    ids: string[],
    rows: readonly Row[],
    reason: string,
    tools: ListTools,
  ) => InputOf<E> | Promise<InputOf<E>>
  confirm: (rows: readonly Row[], tools: ListTools) => Question
  /** Message for the number of rows done, instead of the default. */
  done?: (count: number, tools: ListTools) => string
  /** Is given the answer of each call. */
  onAnswer?: (data: DataOf<E>, tools: ListTools) => void
}

/** Calls a bulk endpoint for the chosen rows, after a question; `forRow` makes it one of a row. */
export function bulkAction<E extends BulkCall, Row extends object>(
  endpoint: E,
  { input, confirm, done, onAnswer, ...look }: BulkSpec<E, Row>,
): ListAction<readonly Row[]> {
  return {
    ...look,
    ...rightsOf(endpoint),
    question: (rows, tools) => ({ count: rows.length, ...confirm(rows, tools) }),
    act: (rows, tools, reason) =>
      tools.sendBulk(
        rows.map((row) => tools.idOf(row)),
        async (ids) => {
          const data = await tools.send(endpoint, await input(ids, rows, reason, tools))
          onAnswer?.(data, tools)
          return data
        },
        false,
        done && ((count) => done(count, tools)),
      ),
  }
}

/** The same action for one row; what depends on the row is given here. */
export function forRow<Row>(
  { question, act, prepare, panel, text, icon, intent, ...action }: ListAction<readonly Row[]>,
  look: Partial<Look<Row>> = {},
): ListAction<Row> {
  return {
    id: action.id,
    codes: action.codes,
    isCommand: action.isCommand,
    text: typeof text === 'string' ? text : (row, tools) => text([row], tools),
    ...(typeof icon === 'string' && { icon }),
    ...(typeof intent === 'string' && { intent }),
    ...look,
    ...(question && { question: (row, tools) => question([row], tools) }),
    ...(prepare && { prepare: (row, tools) => prepare([row], tools) }),
    ...(panel && { panel: (row, tools, prepared) => panel([row], tools, prepared) }),
    ...(act && { act: (row, tools, reason) => act([row], tools, reason) }),
  }
}

interface PanelSpec<Of> extends Look<Of> {
  /** The call behind the form. Without it, everybody may look. */
  endpoint?: Endpoint
  /** It shows something first, so it opens without the connection too. */
  isLook?: true
  isBeside?: boolean
  panel: (of: Of, tools: PanelTools) => ReactNode
}

/** Opens a form or a drawer. */
export function panelAction<Of>({ endpoint, isLook, ...spec }: PanelSpec<Of>): ListAction<Of> {
  return { ...spec, ...rightsOf(endpoint), ...(isLook && { isCommand: false }) }
}

interface PreviewSpec<E extends Endpoint, Of> extends Look<Of> {
  /** The call behind the form. */
  endpoint: Endpoint
  /** Endpoint that previews the action. */
  preview: E
  input: (of: Of, tools: ListTools) => InputOf<E>
  panel: (of: Of, answer: DataOf<E>, tools: PanelTools) => ReactNode
}

/** Reads a preview first, and opens a form or a confirmation with it. */
export function previewAction<E extends Endpoint, Of>({
  endpoint,
  preview,
  input,
  panel,
  ...look
}: PreviewSpec<E, Of>): ListAction<Of> {
  return {
    ...look,
    ...rightsOf(endpoint),
    prepare: (of, tools) => call(preview, input(of, tools)),
    // what was prepared is the answer of the preview
    panel: (of, tools, prepared) => panel(of, prepared as DataOf<E>, tools),
  }
}

/** For a call whose codes stand for different buttons: this one is shown by these alone. */
export function withCodes<Of>(
  codes: readonly [string, ...string[]],
  action: ListAction<Of>,
): ListAction<Of> {
  return { ...action, codes }
}

interface RunSpec<Of> extends Look<Of> {
  endpoint?: Endpoint
  run: (of: Of, tools: ListTools) => unknown
}

/** Runs code. */
export function runAction<Of>({ endpoint, run, ...look }: RunSpec<Of>): ListAction<Of> {
  return { ...look, ...rightsOf(endpoint), act: run }
}

interface LinkSpec<Of> extends Look<Of> {
  /** The person must have this menu. */
  menu?: string
  /** Null = nowhere. */
  path: (of: Of, tools: ListTools) => string | null
  openWindow?: (of: Of) => void
}

/** Leads to another page. */
export function linkAction<Of>({ menu, path, ...look }: LinkSpec<Of>): ListAction<Of> {
  return {
    ...look,
    path,
    ...(menu === undefined ? {} : { menu }),
    codes: null,
    isCommand: false,
  }
}

/** Where the rows lead that have no such entry in their menu. */
export function rowLink<Row>(look: Pick<LinkSpec<Row>, 'menu' | 'path'>): ListAction<Row> {
  return linkAction<Row>({ id: 'open', text: '', ...look })
}

/** Codes that let a person call the endpoint; null = everybody. */
export function codesOf({ access }: Pick<Endpoint, 'access'>): readonly string[] | null {
  return typeof access === 'string' || 'machine' in access ? null : access
}

function rightsOf(endpoint: Endpoint | undefined): Pick<ListAction<never>, 'codes' | 'isCommand'> {
  return {
    codes: endpoint === undefined ? null : codesOf(endpoint),
    isCommand: endpoint?.audit !== undefined,
  }
}
