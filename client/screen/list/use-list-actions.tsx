/** Runs the actions of a list: the question before one, the form it opens, the rows it refused. */
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import type { ListAction, ListTools, PanelTools, Question } from './list-types.ts'
import { isGranted } from './use-list-context.ts'

// a dialog, which the list itself does not need
const ConfirmAction = lazyPart(() =>
  import('#client/ui/feedback/ConfirmAction.tsx').then((m) => ({ default: m.ConfirmAction })),
)

/** An action under way; its rows are read again when it runs, as the list continues to change. */
interface Started {
  key: string
  /** The chosen rows are meant. */
  ofMany: boolean
  /** Row beside the panel. */
  besideId: string | null
  question: ((tools: ListTools) => Question) | null
  look: (tools: ListTools) => Pick<Question, 'intent'> & { text: string }
  panel: ((tools: PanelTools, prepared: unknown) => ReactNode) | null
  prepared?: unknown
  act: (tools: ListTools, reason: string) => unknown
}

export interface ListActions<Row> {
  /** Null when none of them is open to the person. */
  rowActions: ((row: Row) => RowAction[]) | null
  buttonsOf: <Of>(
    actions: readonly ListAction<Of>[],
    of: Of,
    take?: (run: (of: Of) => void) => unknown,
  ) => ReactNode
  permitted: <Of>(actions: readonly ListAction<Of>[]) => readonly ListAction<Of>[]
  /** As a double click does. */
  openWith: (action: ListAction<Row>, row: Row, newWindow: boolean) => void
  besideId: string | null
  /** A question or a panel stands. */
  isOpen: boolean
  dialogs: ReactNode
}

/**
 * @param fresh the row as it is in the list now
 * @param onDone after a panel changed something; `ofMany` when the chosen rows were meant
 */
export function useListActions<Row extends object>({
  actions,
  tools,
  fresh,
  onDone,
}: {
  actions: readonly ListAction<Row>[]
  tools: ListTools
  fresh: (row: Row) => Row
  onDone: (ofMany: boolean) => void
}): ListActions<Row> {
  const { btnPermissions } = usePage()
  const { index } = useSession()
  const [confirming, setConfirming] = useState<Started | null>(null)
  const [showing, setShowing] = useState<Started | null>(null)

  const permitted = <Of,>(some: readonly ListAction<Of>[]) =>
    some.filter(
      ({ codes, menu }) =>
        isGranted(codes, btnPermissions) && (menu === undefined || index.byName.has(menu)),
    )
  const reasonOf = <Of,>(action: ListAction<Of>, of: Of) =>
    action.disabledReason?.(of, tools) ?? (action.isCommand ? tools.offline : null)

  function start<Of>(
    action: ListAction<Of>,
    of: Of,
    { now = () => of, rowId = '', newWindow = false } = {},
  ): unknown {
    const { question, prepare, panel, act, path, openWindow } = action
    if (newWindow && openWindow) return openWindow(of)
    if (path) {
      const to = path(of, tools)
      return to === null ? undefined : tools.goTo(to, newWindow)
    }
    const started: Started = {
      key: `${action.id}:${rowId}`,
      ofMany: Array.isArray(of),
      besideId: action.isBeside === true ? rowId : null,
      question: question ? (with_) => question(now(), with_) : null,
      look: (with_) => ({ text: textOf(action, of, with_), ...intentOf(action, of) }),
      panel: panel ? (with_, prepared) => panel(of, with_, prepared) : null,
      act: (with_, reason) => act?.(now(), with_, reason),
    }
    if (prepare)
      return quietly(prepare(of, tools).then((prepared) => setShowing({ ...started, prepared })))
    if (started.panel) return setShowing(started)
    if (started.question) return setConfirming(started)
    return quietly(started.act(tools, ''))
  }
  // the rows of an action are rows of this list
  const freshOf = <Of extends object>(row: Of) => fresh(row as object as Row) as object as Of
  const startRow = <Of extends object>(action: ListAction<Of>, row: Of, newWindow = false) =>
    start(action, row, { now: () => freshOf(row), rowId: tools.idOf(row), newWindow })

  const open = permitted(actions)
  const question = confirming?.question?.(tools)
  const look = confirming?.look(tools)
  return {
    permitted,
    isOpen: confirming !== null || showing !== null,
    besideId: showing?.besideId ?? null,
    rowActions:
      open.length === 0
        ? null
        : (row) =>
            open
              .filter(({ when }) => when?.(row, tools) ?? true)
              .map((action) => ({
                id: action.id,
                text: textOf(action, row, tools),
                ...iconOf(action, row, tools),
                ...intentOf(action, row),
                separated: isSeparated(action, row),
                disabledReason: reasonOf(action, row),
                onClick: () => void startRow(action, row),
              })),
    openWith(action, row, newWindow) {
      if (action.when && !action.when(row, tools)) return
      const reason = action.disabledReason?.(row, tools) ?? null
      if (reason === null) void startRow(action, row, newWindow)
      else tools.notify(reason, 'warning')
    },
    buttonsOf: (some, of, take = (run) => run(of)) =>
      permitted(some)
        .filter(({ when }) => when?.(of, tools) ?? true)
        .map((action) => (
          <ActionButton
            key={action.id}
            text={textOf(action, of, tools)}
            {...iconOf(action, of, tools)}
            {...intentOf(action, of)}
            {...(action.variant && { variant: action.variant })}
            {...(action.keys && { keys: action.keys })}
            disabledReason={reasonOf(action, of)}
            onClick={() => take((meant) => start(action, meant))}
          />
        )),
    dialogs: (
      <>
        <Suspense key={showing?.key} fallback={null}>
          {showing?.panel?.(
            {
              ...tools,
              close: () => setShowing(null),
              done: () => onDone(showing.ofMany),
              fresh: freshOf,
            },
            showing.prepared,
          )}
        </Suspense>
        {confirming && question && (
          <ConfirmAction
            isOpen
            title={question.title}
            confirmText={question.confirmText ?? look?.text ?? ''}
            intent={question.intent ?? look?.intent ?? 'primary'}
            {...(question.irreversible && { irreversible: question.irreversible })}
            {...(question.reason && { reason: question.reason })}
            {...(question.count === undefined ? {} : { count: question.count })}
            {...(question.amount === undefined ? {} : { amount: question.amount })}
            onConfirm={async (reason) => confirming.act(tools, reason)}
            onClose={() => setConfirming(null)}
          >
            {question.body}
          </ConfirmAction>
        )}
      </>
    ),
  }
}

function textOf<Of>({ text }: ListAction<Of>, of: Of, tools: ListTools): string {
  return typeof text === 'string' ? tools.t(text) : text(of, tools)
}

function iconOf<Of>({ icon }: ListAction<Of>, of: Of, tools: ListTools) {
  return icon === undefined ? {} : { icon: typeof icon === 'function' ? icon(of, tools) : icon }
}

function intentOf<Of>({ intent }: ListAction<Of>, of: Of) {
  const found = typeof intent === 'function' ? intent(of) : intent
  return found === undefined ? {} : { intent: found }
}

function isSeparated<Of>({ separated = false }: ListAction<Of>, of: Of): boolean {
  return typeof separated === 'function' ? separated(of) : separated
}

/** The call layer has shown why it failed. */
function quietly(answer: unknown): unknown {
  return answer instanceof Promise ? answer.catch(() => undefined) : answer
}
