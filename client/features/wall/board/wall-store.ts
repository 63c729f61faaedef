import { createStore } from '#client/base/store.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'

/** State of the screen: a pairing code, or figures. */
export type WallState =
  | { phase: 'starting' }
  | {
      phase: 'pairing'
      code: string | null
      /** It was paired before. */ wasPaired: boolean
      /** The server does not answer. */ isCut: boolean
    }
  | {
      phase: 'board'
      figures: BoardFigures
      receivedAt: number
      /** The server's clock minus this one, milliseconds. */ offset: number
    }

export const wallStore = createStore<WallState>({ phase: 'starting' })

/** The server's time, derived from this clock. */
export function serverNow(): number {
  const state = wallStore.get()
  return Date.now() + (state.phase === 'board' ? state.offset : 0)
}
