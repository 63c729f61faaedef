/** A form somebody else overtook (G409): what differs between the two, field by field. */

export interface ConflictField {
  name: string
  label: string
  /** How a value reads; default: as it is. */
  text?: (value: unknown) => string
}

export interface Difference extends ConflictField {
  mine: unknown
  theirs: unknown
}

/** The fresh row of a refused call; null when the refusal is another one. */
export function freshRowOf(error: unknown): Record<string, unknown> | null {
  const source = error as { code?: unknown; data?: unknown } | null
  if (source?.code !== 409 || typeof source.data !== 'object' || source.data === null) return null
  return 'version' in source.data ? (source.data) : null
}

/**
 * Fields where both changed. A field only one of them changed needs no question: ours stays, theirs is taken by the caller.
 * @param base what the form started from
 */
export function differences(fields: readonly ConflictField[], base: Record<string, unknown>, mine: Record<string, unknown>, theirs: Record<string, unknown>): { ask: Difference[]; take: string[] } {
  const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null) || ((a ?? '') === '' && (b ?? '') === '')
  const changed = fields.filter(({ name }) => !same(mine[name], theirs[name]))
  return {
    ask: changed.filter(({ name }) => !same(mine[name], base[name])).filter(({ name }) => !same(theirs[name], base[name])).map((field) => ({ ...field, mine: mine[field.name], theirs: theirs[field.name] })),
    take: changed.filter(({ name }) => same(mine[name], base[name])).map(({ name }) => name),
  }
}
