/**
 * What shows of the line at this moment. A frame is heard many times a second and the clock moves each second, but only a
 * change of what is shown may draw anything: so both answers stay the same object or word until they mean something else.
 */
import { subscribeSecond } from '#client/ui/clock.ts'
import { type Connection, type ConnectionView, mayMutate, viewConnection } from './connection.ts'
import { connectionStore } from './line.ts'

/** Why nothing may be changed now. */
export type Blocked = 'offline' | 'stale'

let shown: ConnectionView = { kind: 'connecting' }

export function connectionView(): ConnectionView {
  const [state, at] = present()
  const view = viewConnection(state, at)
  if (JSON.stringify(view) !== JSON.stringify(shown)) shown = view
  return shown
}

export function blockedBy(): Blocked | null {
  const [state, at] = present()
  if (mayMutate(state, at)) return null
  return state.online ? 'stale' : 'offline'
}

export function subscribeConnection(listener: () => void): () => void {
  const ends = [connectionStore.subscribe(listener), subscribeSecond(listener)]
  return () => ends.forEach((end) => end())
}

function present(): [state: Connection, at: number] {
  const state = connectionStore.get()
  return [state, Math.max(Date.now(), state.heardAt, state.lostAt ?? 0)]
}
