/** For the `-apply` functions of features: pure, and safe when events repeat or arrive late. */

/**
 * Whether a change is newer than what is shown; without versions on both sides it counts as newer.
 */
export function isNewer(
  shown: { version?: number | null } | undefined,
  version: number | undefined,
): boolean {
  return shown?.version == null || version === undefined || version > shown.version
}

/**
 * The rows with one of them changed, or the same array when no row has the id or the change is not
 * newer. The row takes the event's version, so that the change is not applied twice.
 */
export function applyVersioned<Row extends { version?: number | null }>(
  rows: readonly Row[],
  change: {
    is: (row: Row) => boolean
    version: number | undefined
    patch: (row: Row) => Partial<Row>
  },
): readonly Row[] {
  const at = rows.findIndex(change.is)
  const row = rows[at]
  if (!row || !isNewer(row, change.version)) return rows
  const patched = {
    ...row,
    ...change.patch(row),
    ...(change.version === undefined ? {} : { version: change.version }),
  }
  return rows.with(at, patched)
}
