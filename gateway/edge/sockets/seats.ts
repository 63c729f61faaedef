/** Every open socket, and those of each person. */
import type { RoomsData } from './questions.ts'
import type { Seat } from './seat.ts'

export class Seats {
  readonly #perUser: number
  readonly #all = new Set<Seat>()
  readonly #byUser = new Map<string, Set<Seat>>()

  constructor(perUser: number) {
    this.#perUser = perUser
  }

  get size(): number {
    return this.#all.size
  }

  add(seat: Seat): void {
    this.#all.add(seat)
  }

  /** Gives the seat its person. @returns false when the person has as many sockets as one may have */
  take(seat: Seat, person: RoomsData): boolean {
    const own = this.#byUser.get(person.userId) ?? new Set<Seat>()
    if (seat.ended || own.size >= this.#perUser) return false
    seat.userId = person.userId
    seat.userName = person.userName
    seat.sessionId = person.sessionId
    own.add(seat)
    this.#byUser.set(person.userId, own)
    return true
  }

  remove(seat: Seat): void {
    this.#all.delete(seat)
    const own = this.#byUser.get(seat.userId)
    if (own?.delete(seat) && own.size === 0) this.#byUser.delete(seat.userId)
  }

  all(): Seat[] {
    return [...this.#all]
  }

  ofUser(userId: string): Seat[] {
    return [...(this.#byUser.get(userId) ?? [])]
  }

  /** Those that are in no room yet: authenticated or caught up right now. */
  notLive(): Seat[] {
    return [...this.#all].filter((seat) => !seat.live)
  }
}
