/**
 * Which live connections are in which room. The edge keeps its own index instead of Socket.IO's
 * rooms: a broadcast can never reach another edge through an adapter (each edge reads the whole log
 * itself), and finding the connections of an event costs no allocation.
 */
import type { Connection } from './connection.ts'

const NONE: ReadonlySet<Connection> = new Set()

export class Rooms {
  readonly #rooms = new Map<string, Set<Connection>>()
  readonly #connections = new Set<Connection>()
  #mark = 0

  get connections(): ReadonlySet<Connection> {
    return this.#connections
  }

  /** Makes the connection live in its rooms. */
  join(connection: Connection): void {
    connection.live = true
    this.#connections.add(connection)
    for (const room of connection.rooms) this.#add(room, connection)
  }

  leave(connection: Connection): void {
    if (!this.#connections.delete(connection)) return
    connection.live = false
    for (const room of connection.rooms) this.#remove(room, connection)
  }

  /** Sets the rooms of a connection; one that is not live only stores them. */
  move(connection: Connection, rooms: readonly string[]): void {
    if (connection.live) {
      const wanted = new Set(rooms)
      for (const room of connection.rooms) if (!wanted.has(room)) this.#remove(room, connection)
      for (const room of wanted) this.#add(room, connection)
    }
    connection.rooms = rooms
  }

  of(room: string): ReadonlySet<Connection> {
    return this.#rooms.get(room) ?? NONE
  }

  /** Visits each live connection that is in at least one of the rooms, once. */
  visit(audience: readonly string[], visit: (connection: Connection) => void): void {
    this.#mark += 1
    for (const room of audience) {
      for (const connection of this.of(room)) {
        if (connection.mark === this.#mark) continue
        connection.mark = this.#mark
        visit(connection)
      }
    }
  }

  #add(room: string, connection: Connection): void {
    const connections = this.#rooms.get(room)
    if (connections) connections.add(connection)
    else this.#rooms.set(room, new Set([connection]))
  }

  #remove(room: string, connection: Connection): void {
    const connections = this.#rooms.get(room)
    if (connections?.delete(connection) && connections.size === 0) this.#rooms.delete(room)
  }
}
