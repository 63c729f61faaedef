/**
 * Keyboard shortcuts by physical key (`KeyG` is the position of G on any layout). Screens register
 * theirs while they are shown; the list of `?` reads the same registry. Those of a screen wait while
 * a dialog, menu or popover covers it. Single keys are disabled while the user types or composes, and
 * can be switched off.
 */
import { useEffect, useEffectEvent } from 'react'
import { createKeybindingsHandler } from 'tinykeys'
import { createStore } from '#client/base/store.ts'
import { hasOverlay } from '#client/ui/frame/overlay.ts'
import { isTyping, pressShortcut } from '#client/ui/frame/shortcut.ts'

export type ShortcutScope = 'everywhere' | 'screen'

export interface Shortcut {
  id: string
  /** tinykeys syntax with codes: `KeyN`, `Control+Enter`, `KeyG KeyH`, `Shift+Slash`. */
  code: string
  /** i18n key of its description, with namespace. */
  labelKey: string
  labelParams?: Record<string, string>
  run: (event: KeyboardEvent) => void
  /** Whether it is active now; absent = always. */
  when?: () => boolean
  /** Registered by a part of a drawer or dialog, which would wait for itself. */
  inDialog?: boolean
}

export type ListedShortcut = Omit<Shortcut, 'run' | 'when' | 'inDialog'> & { scope: ShortcutScope }

interface Entry extends Shortcut {
  scope: ShortcutScope
}

const entries = createStore<readonly Entry[]>([])
/** What the list shows; only `useShortcuts` changes it. */
export const shortcutStore: {
  get(): readonly ListedShortcut[]
  subscribe(listener: () => void): () => void
} = entries

/** The active shortcuts, the newest for each key; the palette lists them by name. */
export function runnableShortcuts(): readonly (ListedShortcut & { run: () => void })[] {
  return entries
    .get()
    .filter((entry) => entry.when?.() !== false)
    .map(({ id, code, labelKey, labelParams, scope, run }) => ({
      id,
      code,
      labelKey,
      ...(labelParams && { labelParams }),
      scope,
      run: () => run(new KeyboardEvent('keydown')),
    }))
}

/** Registers shortcuts while the component is shown. */
export function useShortcuts(scope: ShortcutScope, shortcuts: readonly Shortcut[]): void {
  const find = useEffectEvent((id: string) => shortcuts.find((shortcut) => shortcut.id === id))
  // The registry changes only when the list does, not with every render's new functions.
  const shape = JSON.stringify(
    shortcuts.map(({ id, code, labelKey, labelParams }) => ({ id, code, labelKey, labelParams })),
  )
  useEffect(() => {
    const own: Entry[] = (
      JSON.parse(shape) as Pick<Shortcut, 'id' | 'code' | 'labelKey' | 'labelParams'>[]
    ).map((listed) => ({
      ...listed,
      scope,
      run: (event) => find(listed.id)?.run(event),
      when: () => {
        const { inDialog = false, when } = find(listed.id) ?? {}
        return (scope === 'everywhere' || inDialog || !hasOverlay()) && (when?.() ?? true)
      },
    }))
    entries.set((all) => [...all, ...own])
    return () => entries.set((all) => all.filter((entry) => !own.includes(entry)))
  }, [scope, shape])
}

/** Listens for all registered keys; mounted once, by the frame. */
export function listenForShortcuts(): () => void {
  let handle = bind(entries.get())
  const off = entries.subscribe(() => {
    handle = bind(entries.get())
  })
  const onKey = (event: KeyboardEvent) => {
    handle(event)
    if (!event.defaultPrevented) pressShortcut(event)
  }
  window.addEventListener('keydown', onKey)
  return () => {
    off()
    window.removeEventListener('keydown', onKey)
  }
}

/** Whether the combination is one key, or a sequence of keys, without Ctrl, Alt or Meta. */
export function isSingleKey(code: string): boolean {
  return !/\b(?:Control|Alt|Meta|\$mod)\b/.test(code) && code !== 'Escape'
}

/** Keys as printed on the keyboard: `Shift+Slash` → `?`, `KeyG KeyH` → `G`, `H`. */
export function printedKeys(code: string): string[][] {
  return code.split(' ').map((press) => {
    const sign = SHIFTED[press]
    return sign === undefined ? press.split('+').map(printedKey) : [sign]
  })
}

function printedKey(code: string): string {
  return PRINTED[code] ?? code.replace(/^(?:Key|Digit)/, '')
}

/** Where Shift makes another sign of the key. */
const SHIFTED: Record<string, string> = { 'Shift+Slash': '?', 'Shift+Equal': '+' }

const PRINTED: Record<string, string> = {
  $mod: 'Ctrl',
  Control: 'Ctrl',
  BracketLeft: '[',
  BracketRight: ']',
  Slash: '/',
  Period: '.',
  Comma: ',',
  Equal: '=',
  Minus: '−',
  NumpadAdd: 'Num +',
  NumpadSubtract: 'Num −',
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
}

function bind(all: readonly Entry[]): (event: KeyboardEvent) => void {
  const byCode = new Map<string, Entry[]>()
  for (const entry of all) byCode.set(entry.code, [...(byCode.get(entry.code) ?? []), entry])
  const map = Object.fromEntries(
    [...byCode].map(([code, same]) => [
      code,
      (event: KeyboardEvent) => {
        if (event.isComposing || event.repeat || event.defaultPrevented) return
        if (
          isSingleKey(code) &&
          (isTyping(event.target) || document.documentElement.dataset.singleKeys === 'off')
        )
          return
        // A shortcut of the screen has precedence over the frame's, the newest over older ones.
        const entry =
          same.findLast((e) => e.scope === 'screen' && e.when?.() !== false) ??
          same.findLast((e) => e.when?.() !== false)
        if (!entry) return
        event.preventDefault()
        entry.run(event)
      },
    ]),
  )
  return createKeybindingsHandler(map)
}
