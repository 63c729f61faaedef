// LISTEN and UNLISTEN act on PGlite's one session, while each client must be heard for itself: one
// client's UNLISTEN must not deafen another, and a client that goes must not leave its channels
// behind.
import type { PgliteSession } from './pglite-session.ts'
import { FROM_CLIENT, HEADER, messageLength, readText } from './wire.ts'

const STATEMENT = /(?:^|;)\s*(un)?listen\s+(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\d_$]*)|(\*))/giu

export class PgliteListeners {
  /** What the one session listens to. */
  readonly #actual = new Set<string>()

  /** Notes the LISTEN and UNLISTEN statements of a unit that has succeeded. */
  track(session: PgliteSession, unit: Uint8Array): void {
    for (const match of statementTexts(unit).matchAll(STATEMENT)) {
      const [, un, quoted, plain, all] = match
      const channel = quoted?.replaceAll('""', '"') ?? plain?.toLowerCase() ?? ''
      if (all) this.#forgetAll(session)
      else if (un) this.#forget(session, channel)
      else this.#add(session, channel)
    }
  }

  /**
   * SQL that makes the one session listen to exactly what the clients want; null when it does
   * already.
   */
  settle(sessions: Iterable<PgliteSession>): string | null {
    const wanted = new Set<string>()
    for (const session of sessions) for (const channel of session.channels) wanted.add(channel)
    const statements: string[] = []
    for (const channel of wanted)
      if (!this.#actual.has(channel)) statements.push(`listen ${quoteName(channel)}`)
    for (const channel of this.#actual)
      if (!wanted.has(channel)) statements.push(`unlisten ${quoteName(channel)}`)
    this.#actual.clear()
    for (const channel of wanted) this.#actual.add(channel)
    return statements.length === 0 ? null : statements.join('; ')
  }

  #add(session: PgliteSession, channel: string): void {
    session.channels.add(channel)
    this.#actual.add(channel)
  }

  #forget(session: PgliteSession, channel: string): void {
    session.channels.delete(channel)
    this.#actual.delete(channel)
  }

  #forgetAll(session: PgliteSession): void {
    session.channels.clear()
    this.#actual.clear()
  }
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The SQL texts of the Query and Parse messages of a unit, one a line. */
export function statementTexts(unit: Uint8Array): string {
  const texts: string[] = []
  for (let at = 0; at < unit.length; at += messageLength(unit, at)) {
    if (unit[at] === FROM_CLIENT.query) texts.push(readText(unit, at + HEADER).text)
    if (unit[at] === FROM_CLIENT.parse)
      texts.push(readText(unit, readText(unit, at + HEADER).next).text)
  }
  return texts.join(';\n')
}
