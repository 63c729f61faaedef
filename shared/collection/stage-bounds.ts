export interface StageBounds {
  stageId: string
  /** Overdue days, both inclusive; null = no end. */
  min: number
  max: number | null
}

/**
 * Whether stages cover every overdue day from 0 on exactly once.
 * @param stages the enabled ones, in any order
 * @returns the first two neighbours that overlap or leave a gap (one id when the first does not
 * begin at 0 or the last has an end), or null
 */
export function boundsFault(stages: readonly StageBounds[]): string[] | null {
  const ordered = [...stages].toSorted(
    (a, b) => a.min - b.min || a.stageId.localeCompare(b.stageId),
  )
  let before: StageBounds | null = null
  for (const stage of ordered) {
    const begins = before === null ? 0 : before.max === null ? null : before.max + 1
    if (begins === null || stage.min !== begins || (stage.max !== null && stage.max < stage.min))
      return before === null ? [stage.stageId] : [before.stageId, stage.stageId]
    before = stage
  }
  return before !== null && before.max !== null ? [before.stageId] : null
}
