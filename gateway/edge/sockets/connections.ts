/** Every open socket, and those of each person. */
import type { RoomsData } from './rights-client.ts'
import type { Connection } from './connection.ts'

export class Connections {
  readonly #perUser: number
  readonly #all = new Set<Connection>()
  readonly #byUser = new Map<string, Set<Connection>>()

  constructor(perUser: number) {
    this.#perUser = perUser
  }

  get size(): number {
    return this.#all.size
  }

  add(connection: Connection): void {
    this.#all.add(connection)
  }

  /**
   * Assigns the person of the connection.
   * @returns false when the person has as many sockets as allowed
   */
  take(connection: Connection, person: RoomsData): boolean {
    const own = this.#byUser.get(person.userId) ?? new Set<Connection>()
    if (connection.ended || own.size >= this.#perUser) return false
    connection.userId = person.userId
    connection.userName = person.userName
    connection.sessionId = person.sessionId
    own.add(connection)
    this.#byUser.set(person.userId, own)
    return true
  }

  remove(connection: Connection): void {
    this.#all.delete(connection)
    const own = this.#byUser.get(connection.userId)
    if (own?.delete(connection) && own.size === 0) this.#byUser.delete(connection.userId)
  }

  all(): Connection[] {
    return [...this.#all]
  }

  ofUser(userId: string): Connection[] {
    return [...(this.#byUser.get(userId) ?? [])]
  }

  /** Those that are in no room yet: authenticated or caught up right now. */
  notLive(): Connection[] {
    return [...this.#all].filter((connection) => !connection.live)
  }
}
