import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'

/**
 * Figures an owner can change (`sys_config`), read through a short cache; a change in this process
 * is seen at once, in another within the cache's life.
 */
const CACHE_MS = 1_000

export interface Parameters {
  text(code: string): Promise<string>
  int(code: string): Promise<number>
  forget(): void
}

export function parametersOf(
  database: Database,
  monotonic: () => number = () => performance.now(),
): Parameters {
  let values: Map<string, string> | null = null
  let readAt = -Infinity
  let reading: Promise<Map<string, string>> | null = null

  async function read(): Promise<Map<string, string>> {
    const rows = await sql<{
      code: string
      value: string
    }>`select c.code, c.value from sys_config c where c.state = 'enabled'`.execute(database.kysely)
    values = new Map(rows.rows.map((r) => [r.code, r.value]))
    readAt = monotonic()
    return values
  }
  async function all(): Promise<Map<string, string>> {
    if (values && monotonic() - readAt < CACHE_MS) return values
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
  async function text(code: string): Promise<string> {
    const value = (await all()).get(code)
    if (value === undefined) throw new TypeError(`parameter ${code} is missing or disabled`)
    return value
  }
  return {
    text,
    async int(code) {
      const value = Number(await text(code))
      if (!Number.isSafeInteger(value))
        throw new TypeError(`parameter ${code} is not a whole number`)
      return value
    },
    forget() {
      values = null
    },
  }
}

/**
 * A parameter read inside a transaction, which must not wait for a second connection.
 * @throws TypeError when it is missing or disabled
 */
export async function parameterIn(trx: Trx, code: string): Promise<string> {
  const { rows } = await sql<{
    value: string | null
  }>`select ${parameterValue(code)} as value`.execute(trx)
  const value = rows[0]?.value ?? null
  if (value === null) throw new TypeError(`parameter ${code} is missing or disabled`)
  return value
}

/** A parameter as a value within a statement; null when it is missing or disabled. */
export function parameterValue(code: string): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select c.value from sys_config c where c.code = ${code} and c.state = 'enabled')`
}

/** The same of one that is a whole number: a command must not leave its transaction to read one. */
export function intParameter(code: string): RawBuilder<number> {
  return sql<number>`${parameterValue(code)}::int`
}
