/**
 * Who has the same thing open. Soft state: it shows colleagues, it never decides who owns something. Members of other edges
 * come through the bridge and are forgotten when their edge falls silent.
 */
import type { PresenceMember, PresenceState } from '#shared/kernel/live.ts'
import type { Seat } from './seat.ts'

/** A member as edges tell each other of him. */
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
  /** Tells the seats of a watch; called at most 4 times a second for each. */
  announce: (seats: readonly Seat[], shown: PresenceShown) => void
  /** Tells the other edges; set when there are any. */
  publish: (watch: string, members: Present[]) => void
}

interface Visit {
  since: number
  editing: boolean
}

interface Room {
  seats: Map<Seat, Visit>
  /** They hear of it and are not in it: their list has a row of it. */
  listeners: Set<Seat>
  announcedAt: number
  timer: NodeJS.Timeout | null
}

const SHOWN = 50
const PAGE = 'menu:'
const QUIET_MS = 250
/** A crowded room is told less often: each time costs a write for every member. */
const CROWD_MS_PER_SEAT = 4
const SLOWEST_MS = 2_000

export class Presence {
  readonly #deps: PresenceDeps
  readonly #rooms = new Map<string, Room>()
  readonly #heard = new Map<Seat, readonly string[]>()
  /** By edge, then by watch. */
  readonly #remote = new Map<string, Map<string, Present[]>>()

  constructor(deps: PresenceDeps) {
    this.#deps = deps
  }

  join(watch: string, seat: Seat): void {
    const room = this.#room(watch)
    if (room.seats.has(seat)) return
    room.seats.set(seat, { since: this.#deps.now(), editing: false })
    this.#changed(watch, true)
  }

  leave(watch: string, seat: Seat): void {
    const room = this.#rooms.get(watch)
    if (!room?.seats.delete(seat)) return
    this.#changed(watch, true)
    this.#drop(watch, room)
  }

  /** From now on the seat hears who is at these, and of no other rows. */
  listen(seat: Seat, watches: readonly string[]): void {
    const before = this.#heard.get(seat) ?? []
    for (const watch of before) {
      const room = this.#rooms.get(watch)
      if (watches.includes(watch) || !room?.listeners.delete(seat)) continue
      this.#drop(watch, room)
    }
    for (const watch of watches) this.#room(watch).listeners.add(seat)
    if (watches.length > 0) this.#heard.set(seat, watches)
    else this.#heard.delete(seat)
  }

  /** Those of the seat's rows somebody is at. */
  heard(seat: Seat): PresenceShown[] {
    return (this.#heard.get(seat) ?? [])
      .map((watch) => this.shown(watch, seat.circle))
      .filter(({ members }) => members.length > 0)
  }

  leaveAll(seat: Seat): void {
    for (const watch of seat.watches) this.leave(watch, seat)
    this.listen(seat, [])
  }

  /** @param watch the one whose `editing` is meant; without it only the state changes */
  set(seat: Seat, state: PresenceState, watch: string | undefined, editing: boolean): void {
    const stateChanged = seat.state !== state
    seat.state = state
    for (const watched of seat.watches) {
      const visit = this.#rooms.get(watched)?.seats.get(seat)
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
   * Each person once, whatever the number of tabs and edges: the longest stay, editing if any tab edits. Of a page, which is everybody's,
   * somebody of an outside agency is told his own people; of a record, which he may see, all who have it open.
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
      .sort((a, b) =>
        a.since < b.since ? -1 : a.since > b.since ? 1 : a.userId < b.userId ? -1 : 1,
      )
      .map(({ userId, userName, state, since, editing }) => ({
        userId,
        userName,
        state,
        since,
        editing,
      }))
  }

  /** What this edge tells the others. */
  snapshot(): [string, Present[]][] {
    return [...this.#rooms]
      .filter(([, room]) => room.seats.size > 0)
      .map(([watch]) => [watch, this.#local(watch)])
  }

  hearRoom(edge: string, watch: string, members: Present[]): void {
    const rooms = this.#remote.get(edge) ?? new Map<string, Present[]>()
    this.#remote.set(edge, rooms)
    if (members.length > 0) rooms.set(watch, members)
    else rooms.delete(watch)
    this.#changed(watch, false)
  }

  hearAll(edge: string, rooms: [string, Present[]][]): void {
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
    this.#heard.clear()
  }

  #room(watch: string): Room {
    const room = this.#rooms.get(watch) ?? {
      seats: new Map<Seat, Visit>(),
      listeners: new Set<Seat>(),
      announcedAt: Number.NEGATIVE_INFINITY,
      timer: null,
    }
    this.#rooms.set(watch, room)
    return room
  }

  /** Forgets a room nobody is in or hears of. */
  #drop(watch: string, room: Room): void {
    if (room.seats.size + room.listeners.size > 0) return
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
        Math.max(QUIET_MS, (room.seats.size + room.listeners.size) * CROWD_MS_PER_SEAT),
      ) -
      this.#deps.now()
    room.timer = setTimeout(() => this.#announce(watch, room), Math.max(0, wait))
  }

  #announce(watch: string, room: Room): void {
    if (room.timer) clearTimeout(room.timer)
    room.timer = null
    room.announcedAt = this.#deps.now()
    const circles = new Map<string | null, Seat[]>()
    for (const seat of new Set([...room.seats.keys(), ...room.listeners])) {
      const seats = circles.get(seat.circle)
      if (seats) seats.push(seat)
      else circles.set(seat.circle, [seat])
    }
    for (const [circle, seats] of circles) this.#deps.announce(seats, this.shown(watch, circle))
  }

  #local(watch: string): Present[] {
    const people = new Map<string, Present>()
    for (const [seat, visit] of this.#rooms.get(watch)?.seats ?? []) {
      const member = {
        userId: seat.userId,
        userName: seat.userName,
        state: seat.state,
        since: new Date(visit.since).toISOString(),
        editing: visit.editing,
        circle: seat.circle,
      }
      people.set(seat.userId, together(people.get(seat.userId), member))
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
