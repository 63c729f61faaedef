/**
 * What is shown of the connection at this moment. Frames arrive many times a second and the clock
 * ticks every second, but only a visible change may render: both answers stay the same object or
 * string until their meaning changes.
 */
import { subscribeSecond } from '#client/ui/value/clock.ts'
import { type Connection, type ConnectionView, mayMutate, viewConnection } from './connection.ts'
import { connectionStore } from './socket.ts'

/** Why nothing can be changed now. */
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
  return [state, Math.max(Date.now(), state.receivedAt, state.lostAt ?? 0)]
}
