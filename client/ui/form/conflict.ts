/** A form refused because the row was changed meanwhile (G409): the differences, field by field. */

export interface ConflictField {
  name: string
  label: string
  /**
   * Fields that depend on this one (a fee and its kind): in conflict together and taken together.
   */
  together?: readonly string[]
  /** How a value reads, with its row; default: as it is. */
  text?: (value: unknown, row: Record<string, unknown>) => string
  /** The other value is masked and the field begins empty: taking it leaves the field empty. */
  isMasked?: boolean
}

export interface Difference extends ConflictField {
  mine: unknown
  theirs: unknown
}

/** The fresh row of a refused call; null for another refusal. */
export function freshRowOf(error: unknown): Record<string, unknown> | null {
  const source = error as { code?: unknown; data?: unknown } | null
  if (source?.code !== 409 || typeof source.data !== 'object' || source.data === null) return null
  return 'version' in source.data ? source.data : null
}

/**
 * Fields changed on both sides. A field changed on one side only is no conflict: the own change
 * stays, the other one is taken by the caller.
 * @param base the values the form started from
 */
export function differences(
  fields: readonly ConflictField[],
  base: Record<string, unknown>,
  mine: Record<string, unknown>,
  theirs: Record<string, unknown>,
): { conflicts: Difference[]; take: string[] } {
  const same = (a: unknown, b: unknown) =>
    JSON.stringify(a ?? null) === JSON.stringify(b ?? null) ||
    ((a ?? '') === '' && (b ?? '') === '')
  const differ =
    (one: Record<string, unknown>, other: Record<string, unknown>) => (field: ConflictField) =>
      namesOf(field).some((name) => !same(one[name], other[name]))
  const changed = fields.filter(differ(mine, theirs))
  const isMine = differ(mine, base)
  return {
    conflicts: changed
      .filter(isMine)
      .filter(differ(theirs, base))
      .map((field) => ({ ...field, mine: mine[field.name], theirs: theirs[field.name] })),
    take: changed.filter((field) => !isMine(field)).flatMap(namesOf),
  }
}

export function namesOf({ name, together = [] }: ConflictField): string[] {
  return [name, ...together]
}
