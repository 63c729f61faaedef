/** Rows that are kept for a term and then removed; each feature names its own in its manifest. */
import type { RawBuilder } from 'kysely'
import type { AppContext } from './app-context.ts'

export interface Retained {
  /** Of the trace, and of the texts. */
  name: string
  table: string
  /** Parameter with the days they are kept. */
  term: string
  /** Days they are kept at least, by law, whatever the parameter. */
  atLeast?: number
  /** The table is divided by months (`db/months.ts`): its rows go with their month. */
  byMonth?: true
  /** Which are over, given the moment before which they must lie; `r` is the row. */
  isOver(before: RawBuilder<string>): RawBuilder<boolean>
  /** What is emptied in rows that stay, as `column = …`; without it the rows go. */
  emptied?: RawBuilder<unknown>
}

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    retained: Retained
  }
}

/** Days of a term: those of its parameter, and never fewer than the law demands. */
export async function termDays(
  { parameters }: Pick<AppContext, 'parameters'>,
  code: string,
  atLeast = 0,
): Promise<number> {
  return Math.max(atLeast, await parameters.int(code))
}
