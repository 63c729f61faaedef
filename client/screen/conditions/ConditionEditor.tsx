/**
 * Edits a condition: groups, comparisons, undo and redo, copy and paste. Everything is reached by
 * Tab; Ctrl+Shift+Up and Down move the node with the focus, Ctrl+D copies it, Ctrl+Z and Ctrl+Y undo and redo.
 */
import './conditions.css'
import { Button } from '@blueprintjs/core'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { useText } from '#client/base/use-text.ts'
import { announce } from '#client/ui/feedback/announce.ts'
import { showToast } from '#client/ui/feedback/toasts.ts'
import { copyText } from '#client/ui/value/copy.ts'
import type { Catalogue } from '#shared/conditions/catalogue.ts'
import { type Condition, readCondition } from '#shared/conditions/condition.ts'
import { conditionFaults } from '#shared/conditions/condition-faults.ts'
import {
  addTo,
  conditionOf,
  type DraftGroup,
  draftOf,
  duplicateNode,
  moveNode,
  pathsOf,
  placeOf,
  removeNode,
  rootOf,
} from './condition-draft.ts'
import { historyOf, stepHistory } from './condition-history.ts'
import { namespacesOf } from './condition-words.ts'
import { ConditionGroup } from './ConditionGroup.tsx'
import { EditorContext, type EditorTools } from './editor-context.ts'

/** Where the focus goes after a change: a part of a node. */
interface Target {
  id: string
  part: 'first' | 'up' | 'down' | 'add'
}

export function ConditionEditor({
  label,
  catalogue,
  initial,
  onChange,
  onBlur,
  showsFaults = false,
}: {
  label: string
  catalogue: Catalogue
  /** Read once; a new `key` starts over. */
  initial: Condition
  onChange: (condition: Condition) => void
  onBlur?: () => void
  /** Also faults of nodes that were not touched. */
  showsFaults?: boolean
}): ReactNode {
  const t = useText('conditions', ...namespacesOf(catalogue))
  const element = useRef<HTMLDivElement>(null)
  const [history, step] = useReducer(stepHistory, initial, (given) => historyOf(rootOf(given)))
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const target = useRef<Target | null>(null)
  const root = history.now
  const condition = useMemo(() => conditionOf(root), [root])

  const latest = useRef(onChange)
  const emitted = useRef(root)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    if (emitted.current === root) return
    emitted.current = root
    latest.current(condition)
  }, [root, condition])
  useEffect(() => {
    const { current } = target
    target.current = null
    if (current) focusPart(element.current, current)
  }, [root])

  const faults = useMemo(() => {
    const ids = pathsOf(root)
    return new Map(
      conditionFaults(condition, catalogue).map(({ path, fault }) => [ids.get(path), fault]),
    )
  }, [root, condition, catalogue])

  function change(next: DraftGroup, focus: Target | null = null, about?: string): void {
    if (next === root) return
    target.current = focus
    step({ type: 'change', root: next, ...(about === undefined ? {} : { about }) })
  }
  const tools: EditorTools = {
    catalogue,
    t,
    root,
    faultOf: (id) => (showsFaults || touched.has(id) ? (faults.get(id) ?? null) : null),
    touch: (id) => {
      setTouched((now) => (now.has(id) ? now : new Set([...now, id])))
    },
    change,
    add: (groupId, node) => change(addTo(root, groupId, node), { id: node.id, part: 'first' }),
    duplicate: (id) => {
      const copy = duplicateNode(root, id)
      change(copy.root, { id: copy.id, part: 'first' })
    },
    move: (id, by, part = 'first') => {
      change(moveNode(root, id, by), { id, part })
    },
    remove: (id) => {
      const place = placeOf(root, id)
      if (!place) return
      const { group, at } = place
      const next = group.of[at + 1] ?? group.of[at - 1]
      change(
        removeNode(root, id),
        next ? { id: next.id, part: 'first' } : { id: group.id, part: 'add' },
      )
      announce(t('said.removed'))
    },
  }

  async function paste(): Promise<void> {
    const text = await navigator.clipboard.readText().catch(() => '')
    const read = readJson(text)
    if (read === null) {
      showToast({ intent: 'warning', message: t('said.noCondition'), key: 'condition' })
      return
    }
    const node = draftOf(read)
    change(addTo(root, root.id, node), { id: node.id, part: 'first' })
  }
  function keys(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.nativeEvent.isComposing) return
    const id = (event.target as HTMLElement).closest<HTMLElement>('[data-node]')?.dataset.node
    const act = actOf(event, id, tools, step)
    if (act === null) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const { past, future } = history
  return (
    <EditorContext value={tools}>
      <div
        ref={element}
        className="condition"
        role="group"
        aria-label={label}
        onKeyDown={keys}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) onBlur?.()
        }}
      >
        <div className="condition-bar">
          <Button
            size="small"
            variant="minimal"
            icon="undo"
            text={t('undo')}
            title="Ctrl+Z"
            disabled={past.length === 0}
            onClick={() => step({ type: 'undo' })}
          />
          <Button
            size="small"
            variant="minimal"
            icon="redo"
            text={t('redo')}
            title="Ctrl+Y"
            disabled={future.length === 0}
            onClick={() => step({ type: 'redo' })}
          />
          <Button
            size="small"
            variant="minimal"
            icon="clipboard"
            text={t('copyAll')}
            onClick={() => void copyText(JSON.stringify(condition))}
          />
          <Button
            size="small"
            variant="minimal"
            icon="import"
            text={t('paste')}
            onClick={() => void paste()}
          />
        </div>
        <ConditionGroup group={root} isRoot />
      </div>
    </EditorContext>
  )
}

function actOf(
  event: KeyboardEvent,
  id: string | undefined,
  { root, move, duplicate }: EditorTools,
  step: (step: { type: 'undo' | 'redo' }) => void,
): (() => void) | null {
  const isInner = id !== undefined && id !== root.id
  if (event.shiftKey && event.key === 'ArrowUp') return isInner ? () => move(id, -1) : null
  if (event.shiftKey && event.key === 'ArrowDown') return isInner ? () => move(id, 1) : null
  const key = event.key.toLowerCase()
  if (key === 'd' && !event.shiftKey) return isInner ? () => duplicate(id) : null
  if (key === 'z') return () => step({ type: event.shiftKey ? 'redo' : 'undo' })
  return key === 'y' && !event.shiftKey ? () => step({ type: 'redo' }) : null
}

function readJson(text: string): Condition | null {
  try {
    return readCondition(JSON.parse(text))
  } catch {
    return null
  }
}

function focusPart(editor: HTMLElement | null, { id, part }: Target): void {
  const node = editor?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)
  const wanted = node?.querySelector<HTMLElement>(`[data-part="${part}"]`)
  const found = wanted ?? node?.querySelector<HTMLElement>('[data-part="first"], [data-part="add"]')
  found?.focus()
}
