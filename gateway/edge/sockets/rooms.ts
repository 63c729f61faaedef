/**
 * Which live seats are in which room. The edge's own index instead of Socket.IO's rooms: a broadcast can never reach another
 * edge through an adapter (each edge reads the whole log itself), and finding an event's seats costs no allocation.
 */
import type { Seat } from './seat.ts'

const NONE: ReadonlySet<Seat> = new Set()

export class Rooms {
  readonly #rooms = new Map<string, Set<Seat>>()
  readonly #seats = new Set<Seat>()
  #mark = 0

  get seats(): ReadonlySet<Seat> {
    return this.#seats
  }

  /** Makes the seat live in the rooms it holds. */
  join(seat: Seat): void {
    seat.live = true
    this.#seats.add(seat)
    for (const room of seat.rooms) this.#add(room, seat)
  }

  leave(seat: Seat): void {
    if (!this.#seats.delete(seat)) return
    seat.live = false
    for (const room of seat.rooms) this.#remove(room, seat)
  }

  /** Gives the seat other rooms; a seat that is not live only remembers them. */
  move(seat: Seat, rooms: readonly string[]): void {
    if (seat.live) {
      const wanted = new Set(rooms)
      for (const room of seat.rooms) if (!wanted.has(room)) this.#remove(room, seat)
      for (const room of wanted) this.#add(room, seat)
    }
    seat.rooms = rooms
  }

  of(room: string): ReadonlySet<Seat> {
    return this.#rooms.get(room) ?? NONE
  }

  /** Visits each live seat that is in at least one of the rooms, once. */
  visit(audience: readonly string[], visit: (seat: Seat) => void): void {
    this.#mark += 1
    for (const room of audience) {
      for (const seat of this.of(room)) {
        if (seat.mark === this.#mark) continue
        seat.mark = this.#mark
        visit(seat)
      }
    }
  }

  #add(room: string, seat: Seat): void {
    const seats = this.#rooms.get(room)
    if (seats) seats.add(seat)
    else this.#rooms.set(room, new Set([seat]))
  }

  #remove(room: string, seat: Seat): void {
    const seats = this.#rooms.get(room)
    if (seats?.delete(seat) && seats.size === 0) this.#rooms.delete(room)
  }
}
