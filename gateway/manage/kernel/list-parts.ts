/** Parts of list queries that know no table. */
import { type RawBuilder, sql } from 'kysely'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'

/** A text as the beginning of a lower-cased column, taken to the letter. */
export function likeStart(text: string): string {
  return `${text.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}

/** @param sorts field → column or expression @throws Problem G422 for a field that is no sort key */
export function sortOf(sort: string | undefined, sorts: Record<string, string>, byDefault: string, last: string): RawBuilder<unknown> {
  const keys = (sort ?? byDefault).split(',').map((part) => {
    const [field = '', direction] = part.split(':')
    if (!Object.hasOwn(sorts, field)) throw new Problem(INVALID_FIELDS, {}, { fields: { sort: 'unknown' } })
    return sql`${sql.raw(sorts[field] as string)} ${sql.raw(direction === 'desc' ? 'desc' : 'asc')} nulls last`
  })
  return sql.join([...keys, sql.raw(last)])
}
