/** The words of a list screen: what a feature declares, and what its functions are given. */
import type { IconName } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { currentLanguage } from '#client/base/i18n.ts'
import type { Text } from '#client/base/use-text.ts'
import type { SessionUser } from '#client/session/session-store.ts'
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import type { FilterKinds, Filters } from '#client/ui/grid/grid-url.ts'
import type { Attendance } from '#client/ui/grid/staff-cell.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import type { LiveRules, Touches } from './use-live-list.ts'

export type Intent = 'primary' | 'success' | 'warning' | 'danger'

export type RowOf<E extends Endpoint> = DataOf<E> extends { rows: (infer Row)[] } ? Row : never

/** What the declared data may depend on: the person, the language, the filters, further answers. */
export interface ListContext {
  /** Texts of the list's namespaces. */
  t: Text
  language: ReturnType<typeof currentLanguage>
  user: SessionUser
  /** The person sees the rows of everybody. */
  seesAll: boolean
  /** The window has room for every column. */
  isWide: boolean
  /** The filters as they are in the address, by the kinds the list declares. */
  filters: <Kinds extends FilterKinds>(kinds: Kinds) => Filters<Kinds>
  /** Answer of one of the list's `reads`; undefined until it came. */
  read: <E extends Endpoint>(endpoint: E) => DataOf<E> | undefined
  /** Whether a menu is in the person's tree. */
  hasMenu: (name: string) => boolean
  /** Whether the page lets the person call the endpoint. */
  may: (endpoint: Pick<Endpoint, 'access'>) => boolean
}

/** What an action may do. */
export interface ListTools extends ListContext {
  /** Why nothing can be changed now. */
  offline: string | null
  setFilters: (change: Partial<Filters<FilterKinds>>) => void
  goTo: (path: string, newWindow?: boolean) => void
  refetch: () => void
  /** Reads one of `reads` again. */
  readAgain: (endpoint: Endpoint) => void
  /** Puts a row right from an answer that carries it. */
  takeRow: (row: object) => void
  send: <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<DataOf<E>>
  /** Runs a bulk call; reports what was done and shows the rows it refused. */
  sendBulk: (
    ids: readonly string[],
    send: (ids: string[]) => Promise<BulkResult>,
    inline?: boolean,
    done?: (count: number) => string,
  ) => Promise<void>
  idOf: (row: object) => string
  notify: (message: string, intent?: Intent) => void
}

/** A form or drawer that an action opened. */
export interface PanelTools extends ListTools {
  close: () => void
  /** Something was changed: the list is read again; of a bulk action the selection ends. */
  done: () => void
  /** The row as it is in the list now: the panel is drawn again when it is patched. */
  fresh: <Row extends object>(row: Row) => Row
}

export interface Question {
  title: string
  /** Else the text of the action. */
  confirmText?: string
  /** Else that of the action, or `primary`. */
  intent?: Intent
  body?: ReactNode
  irreversible?: readonly string[]
  reason?: { label?: string; min: number; max: number }
  count?: number
  amount?: number
}

/**
 * Something to be done with `Of`: a row, the chosen rows, or null for a button of the page. Made by
 * the functions of list-actions.ts.
 */
export interface ListAction<Of> {
  id: string
  /** A key, or words. */
  text: string | ((of: Of, tools: ListTools) => string)
  icon?: IconName | ((of: Of, tools: ListTools) => IconName)
  intent?: Intent | ((of: Of) => Intent | undefined)
  variant?: 'outlined'
  /** The shortcut that does the same, shown on its button. */
  keys?: string
  /** A line above it in the menu of a row. */
  separated?: boolean | ((of: Of) => boolean)
  /** Codes of which the page must grant one; null = everybody. */
  codes: readonly string[] | null
  /** Menu the person must have. */
  menu?: string
  /** Waits for the connection. */
  isCommand: boolean
  when?: (of: Of, tools: ListTools) => boolean
  /** Why not now, beside the connection. A key or words. */
  disabledReason?: (of: Of, tools: ListTools) => string | null
  /** Asked first. */
  question?: (of: Of, tools: ListTools) => Question
  /** Is asked before the panel opens, which is given the answer; a refusal opens nothing. */
  prepare?: (of: Of, tools: ListTools) => Promise<unknown>
  panel?: (of: Of, tools: PanelTools, prepared: unknown) => ReactNode
  /** Where it leads; in a new window, too. */
  path?: (of: Of, tools: ListTools) => string | null
  /** Opens a window of its own, where a new window is wanted. */
  openWindow?: (of: Of) => void
  /** The row is beside its panel: it is marked and stays in the list. */
  isBeside?: boolean
  /** @returns the message when it is done */
  act?: (of: Of, tools: ListTools, reason: string) => unknown
}

export interface ListFilters<Name extends string = string> {
  kinds: FilterKinds
  fields: (context: ListContext) => readonly FilterField<Name>[]
}

/** A further answer that filters or forms need. */
export interface ListRead {
  endpoint: Endpoint
  input: Record<string, unknown>
  when: (user: SessionUser) => boolean
}

export interface ListSpec<E extends Endpoint, Row extends object = RowOf<E> & object> {
  /** The rows; its access and menu are those of the list. */
  endpoint: E
  /** Field of a row that names it. */
  rowId: string & keyof Row
  /** Namespaces of its texts; the first is its own. */
  texts: readonly [string, ...string[]]
  /** Where the endpoint serves several menus. */
  menu?: string
  /** Name of the list, where a menu has several: the person's columns are kept under it. */
  id?: string
  /** Key of its name; else the title of the menu. */
  label?: string
  columns: readonly GridColumn<Row>[] | ((context: ListContext) => readonly GridColumn<Row>[])
  /** Adds links to the columns. */
  useColumns?: (columns: readonly GridColumn<Row>[], menu: string) => readonly GridColumn<Row>[]
  filters?: ListFilters
  /** `name:asc`; the sort of the address goes first. */
  sort?: string
  /**
   * What is asked, from what is in the address; else the same in the types of the contract. A
   * text says why nothing can match.
   */
  input?: (query: Record<string, unknown>, context: ListContext) => InputOf<E> | string
  reads?: readonly ListRead[]
  /** Types of the events after which the list is read again. */
  refreshOn?: readonly string[]
  /** Events that name a row: the list is read again when it shows that row. */
  touches?: Touches
  /** Patches rows in place instead. `input` is what the list asks for; null when it cannot. */
  live?: (context: ListContext, input: InputOf<E> | null) => LiveRules<E, Row>
  /** Also reads the list this often while it is seen. */
  everyMs?: number
  /** Cells that mark who else has the list open. */
  attendance?: Attendance
  create?: ListAction<null>
  /** Further buttons of the page, before `create`. */
  buttons?: readonly ListAction<null>[]
  actions?: readonly ListAction<Row>[]
  /** Actions on the chosen rows. */
  bulk?:
    | readonly ListAction<readonly Row[]>[]
    | ((context: ListContext) => readonly ListAction<readonly Row[]>[])
  /** Most rows a bulk action takes. */
  most?: number
  /** The action that a double click and Enter run: the id of one of the row's, or one of its own. */
  open?: string | ListAction<Row>
  /** Rows that wait for the person: N opens the next one, as Enter does. */
  toDo?: (row: Row, tools: ListTools) => boolean
  /** Key of the text of an empty list. */
  empty: string
  emptyHint?: (context: ListContext) => string | null
  /** Left part of the bar above the rows. */
  toolbar?: (tools: ListTools, answer: DataOf<E> | undefined) => ReactNode
  /** Before the buttons of the page. */
  before?: (tools: ListTools) => ReactNode
  /** Lays out the rows with what is beside them. */
  around?: (rows: ReactNode, tools: ListTools, answer: DataOf<E> | undefined) => ReactNode
}
