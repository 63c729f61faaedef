import type { LiveEvent } from '#shared/kernel/live.ts'

/** A live event with the case CA1 as its subject. */
export function caseEvent(
  type: string,
  data: Record<string, unknown>,
  version?: number,
): LiveEvent {
  return {
    seq: 1,
    id: '1',
    type,
    subject: 'case:CA1',
    time: '2026-11-21T05:00:00.000Z',
    actor: null,
    ...(version === undefined ? {} : { version }),
    data,
  }
}
