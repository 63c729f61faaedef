/**
 * Who has the same thing open. Soft state: it shows colleagues, it never decides who owns
 * something. Members of other edges come through the bridge and are forgotten when their edge falls
 * silent.
 */
import type { PresenceMember, PresenceState } from '#shared/kernel/live.ts'
import type { Connection } from './connection.ts'

/** A member as edges publish them to each other. */
export interface Present extends PresenceMember {
  circle: string | null
}

export interface PresenceShown {
  watch: string
  members: PresenceMember[]
  /** Members beyond those shown. */
  more: number
}

export interface PresenceDeps {
  now: () => number
  /** Notifies the connections of a watch; called at most 4 times a second for each. */
  announce: (connections: readonly Connection[], shown: PresenceShown) => void
  /** Publishes to the other edges; set when there are any. */
  publish: (watch: string, members: Present[]) => void
}

interface Visit {
  since: number
  editing: boolean
}

interface Room {
  connections: Map<Connection, Visit>
  /** They follow it without being present: their list has a row of it. */
  listeners: Set<Connection>
  announcedAt: number
  timer: NodeJS.Timeout | null
}

const SHOWN = 50
const PAGE = 'menu:'
const QUIET_MS = 250
/** A crowded room is notified less often: each time costs a write for every member. */
const CROWD_MS_PER_SEAT = 4
const SLOWEST_MS = 2_000

export class Presence {
  readonly #deps: PresenceDeps
  readonly #rooms = new Map<string, Room>()
  readonly #lists = new Map<Connection, readonly string[]>()
  /** By edge, then by watch. */
  readonly #remote = new Map<string, Map<string, Present[]>>()

  constructor(deps: PresenceDeps) {
    this.#deps = deps
  }

  join(watch: string, connection: Connection): void {
    const room = this.#room(watch)
    if (room.connections.has(connection)) return
    room.connections.set(connection, { since: this.#deps.now(), editing: false })
    this.#changed(watch, true)
  }

  leave(watch: string, connection: Connection): void {
    const room = this.#rooms.get(watch)
    if (!room?.connections.delete(connection)) return
    this.#changed(watch, true)
    this.#drop(watch, room)
  }

  /** From now on the connection follows the presence at these rows, and at no others. */
  listen(connection: Connection, watches: readonly string[]): void {
    const before = this.#lists.get(connection) ?? []
    for (const watch of before) {
      const room = this.#rooms.get(watch)
      if (watches.includes(watch) || !room?.listeners.delete(connection)) continue
      this.#drop(watch, room)
    }
    for (const watch of watches) this.#room(watch).listeners.add(connection)
    if (watches.length > 0) this.#lists.set(connection, watches)
    else this.#lists.delete(connection)
  }

  /** Those of the connection's rows that have somebody present. */
  followedBy(connection: Connection): PresenceShown[] {
    return (this.#lists.get(connection) ?? [])
      .map((watch) => this.shown(watch, connection.circle))
      .filter(({ members }) => members.length > 0)
  }

  leaveAll(connection: Connection): void {
    for (const watch of connection.watches) this.leave(watch, connection)
    this.listen(connection, [])
  }

  /** @param watch the one whose `editing` is meant; without it only the state changes */
  set(
    connection: Connection,
    state: PresenceState,
    watch: string | undefined,
    editing: boolean,
  ): void {
    const stateChanged = connection.state !== state
    connection.state = state
    for (const watched of connection.watches) {
      const visit = this.#rooms.get(watched)?.connections.get(connection)
      if (!visit) continue
      const editingChanged = watched === watch && visit.editing !== editing
      if (editingChanged) visit.editing = editing
      if (stateChanged || editingChanged) this.#changed(watched, true)
    }
  }

  /** @param circle of who looks */
  shown(watch: string, circle: string | null): PresenceShown {
    const all = this.members(watch, circle)
    return { watch, members: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) }
  }

  /**
   * Each person once, whatever the number of tabs and edges: the longest stay, editing if any tab
   * edits. On a page, which everybody shares, staff of an outside agency see their own colleagues;
   * on a record, which they may see, everybody who has it open.
   */
  members(watch: string, circle: string | null): PresenceMember[] {
    const people = new Map<string, Present>()
    for (const member of this.#local(watch)) people.set(member.userId, member)
    for (const rooms of this.#remote.values())
      for (const member of rooms.get(watch) ?? [])
        people.set(member.userId, together(people.get(member.userId), member))
    const all =
      circle !== null && watch.startsWith(PAGE)
        ? [...people.values()].filter((member) => member.circle === circle)
        : [...people.values()]
    return all
      .toSorted((a, b) =>
        a.since < b.since ? -1 : a.since > b.since ? 1 : a.userId < b.userId ? -1 : 1,
      )
      .map(({ userId, userName, avatar, state, since, editing }) => ({
        userId,
        userName,
        ...(avatar === undefined ? {} : { avatar }),
        state,
        since,
        editing,
      }))
  }

  /** What this edge publishes to the others. */
  snapshot(): [string, Present[]][] {
    return [...this.#rooms]
      .filter(([, room]) => room.connections.size > 0)
      .map(([watch]) => [watch, this.#local(watch)])
  }

  receiveRoom(edge: string, watch: string, members: Present[]): void {
    const rooms = this.#remote.get(edge) ?? new Map<string, Present[]>()
    this.#remote.set(edge, rooms)
    if (members.length > 0) rooms.set(watch, members)
    else rooms.delete(watch)
    this.#changed(watch, false)
  }

  receiveAll(edge: string, rooms: [string, Present[]][]): void {
    const before = this.#remote.get(edge)
    const after = new Map(rooms)
    this.#remote.set(edge, after)
    for (const watch of new Set([...(before?.keys() ?? []), ...after.keys()]))
      if (JSON.stringify(before?.get(watch)) !== JSON.stringify(after.get(watch)))
        this.#changed(watch, false)
  }

  forgetEdge(edge: string): void {
    const before = this.#remote.get(edge)
    this.#remote.delete(edge)
    for (const watch of before?.keys() ?? []) this.#changed(watch, false)
  }

  /** Sends what waits, now. */
  flush(): void {
    for (const [watch, room] of this.#rooms) if (room.timer) this.#announce(watch, room)
  }

  stop(): void {
    for (const room of this.#rooms.values()) if (room.timer) clearTimeout(room.timer)
    this.#rooms.clear()
    this.#lists.clear()
  }

  #room(watch: string): Room {
    const room = this.#rooms.get(watch) ?? {
      connections: new Map<Connection, Visit>(),
      listeners: new Set<Connection>(),
      announcedAt: Number.NEGATIVE_INFINITY,
      timer: null,
    }
    this.#rooms.set(watch, room)
    return room
  }

  /** Drops a room without members and followers. */
  #drop(watch: string, room: Room): void {
    if (room.connections.size + room.listeners.size > 0) return
    if (room.timer) clearTimeout(room.timer)
    this.#rooms.delete(watch)
  }

  #changed(watch: string, own: boolean): void {
    const room = this.#rooms.get(watch)
    if (!room) return
    if (own) this.#deps.publish(watch, this.#local(watch))
    if (room.timer) return
    const wait =
      room.announcedAt +
      Math.min(
        SLOWEST_MS,
        Math.max(QUIET_MS, (room.connections.size + room.listeners.size) * CROWD_MS_PER_SEAT),
      ) -
      this.#deps.now()
    room.timer = setTimeout(() => this.#announce(watch, room), Math.max(0, wait))
  }

  #announce(watch: string, room: Room): void {
    if (room.timer) clearTimeout(room.timer)
    room.timer = null
    room.announcedAt = this.#deps.now()
    const circles = new Map<string | null, Connection[]>()
    for (const connection of new Set([...room.connections.keys(), ...room.listeners])) {
      const connections = circles.get(connection.circle)
      if (connections) connections.push(connection)
      else circles.set(connection.circle, [connection])
    }
    for (const [circle, connections] of circles)
      this.#deps.announce(connections, this.shown(watch, circle))
  }

  #local(watch: string): Present[] {
    const people = new Map<string, Present>()
    for (const [connection, visit] of this.#rooms.get(watch)?.connections ?? []) {
      const member = {
        userId: connection.userId,
        userName: connection.userName,
        ...(connection.avatar === null ? {} : { avatar: connection.avatar }),
        state: connection.state,
        since: new Date(visit.since).toISOString(),
        editing: visit.editing,
        circle: connection.circle,
      }
      people.set(connection.userId, together(people.get(connection.userId), member))
    }
    return [...people.values()]
  }
}

function together(a: Present | undefined, b: Present): Present {
  if (!a) return b
  // A tab left in the background does not make a person away who works in another.
  const state =
    a.state === 'online' || a.state === 'away' ? (b.state === 'away' ? a.state : b.state) : a.state
  return {
    ...a,
    state,
    since: a.since < b.since ? a.since : b.since,
    editing: a.editing || b.editing,
  }
}
