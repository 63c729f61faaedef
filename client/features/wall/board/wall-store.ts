import { createStore } from '#client/app/store.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'

/** What the screen shows: a code to be paired by, or figures. */
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
      heardAt: number
      /** Server's clock minus this one's, milliseconds. */ offset: number
    }

export const wallStore = createStore<WallState>({ phase: 'starting' })

/** The server's time, as this clock goes. */
export function serverNow(): number {
  const state = wallStore.get()
  return Date.now() + (state.phase === 'board' ? state.offset : 0)
}
