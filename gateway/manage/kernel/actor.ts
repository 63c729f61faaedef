import type { Rights } from '#shared/kernel/permission.ts'

/** Who acts. `userId` null: the system itself (schedules, jobs) or a machine key. */
export interface Actor {
  userId: string | null
  userName: string
  /** Null for the system. */
  rights: Rights | null
  sessionId: string | null
  ip: string | null
  agent: string | null
  clientId: string | null
  requestId: string | null
  /**
   * A paired wall screen instead of a person: the rooms it receives, and no others. Its id is in
   * the place of a user's and a session's.
   */
  screen?: { rooms: readonly string[] }
}

export interface StaffActor extends Actor {
  userId: string
  rights: Rights
  sessionId: string
}

/** The system as actor of a schedule, a job or a machine's call; `name` is what the log shows. */
export function systemActor(name: string, requestId: string | null = null): Actor {
  return {
    userId: null,
    userName: name,
    rights: null,
    sessionId: null,
    ip: null,
    agent: null,
    clientId: null,
    requestId,
  }
}

/**
 * Narrows to a signed-in person.
 * @throws TypeError when a route without a session calls it (a fault of ours)
 */
export function staff(actor: Actor): StaffActor {
  if (actor.userId === null || actor.rights === null || actor.sessionId === null)
    throw new TypeError('this command needs a signed-in person')
  return actor as StaffActor
}
