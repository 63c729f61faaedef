/** Undo and redo of a tree. Pure. */
import type { DraftGroup } from './condition-draft.ts'

export interface History {
  past: readonly DraftGroup[]
  now: DraftGroup
  future: readonly DraftGroup[]
  /** What the last change was about: typing in one input is one step. */
  about: string | null
}

const MOST_STEPS = 200

export type HistoryStep =
  | { type: 'change'; root: DraftGroup; about?: string }
  | { type: 'undo' }
  | { type: 'redo' }

export function historyOf(now: DraftGroup): History {
  return { past: [], now, future: [], about: null }
}

export function stepHistory(history: History, step: HistoryStep): History {
  const { past, now, future } = history
  switch (step.type) {
    case 'change': {
      if (step.root === now) return history
      const about = step.about ?? null
      const isSame = about !== null && about === history.about
      return {
        past: isSame ? past : [...past, now].slice(-MOST_STEPS),
        now: step.root,
        future: [],
        about,
      }
    }
    case 'undo': {
      const last = past.at(-1)
      if (!last) return history
      return { past: past.slice(0, -1), now: last, future: [now, ...future], about: null }
    }
    case 'redo': {
      const [next, ...rest] = future
      if (!next) return history
      return { past: [...past, now], now: next, future: rest, about: null }
    }
  }
}
