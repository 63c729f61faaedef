/** Words of calls that the exchange of an app rings. */

/** What a press of Call does beside its record; null = the app has no exchange, the person dials. */
export const PRESS_ANSWERS = ['rings', 'noExtension'] as const
export type PressAnswer = (typeof PRESS_ANSWERS)[number]

/** States an exchange reports; those before them are ours. */
export const REPORTED_STATES = ['ringing', 'answered', 'ended'] as const

/** Why a call ended, as an exchange reports it. */
export const REPORTED_CAUSES = [
  'completed',
  'noAnswer',
  'busy',
  'switchedOff',
  'invalidNumber',
  'extensionNoAnswer',
  'failed',
] as const

/** `lost`: the exchange never reported how it ended. */
export const END_CAUSES = [...REPORTED_CAUSES, 'lost'] as const
export type EndCause = (typeof END_CAUSES)[number]

/** The result of a contact that a cause suggests to a collector. It is offered, never chosen. */
export const CONTACT_RESULT_OF: Partial<Record<EndCause, 3 | 4 | 6>> = {
  noAnswer: 3,
  busy: 4,
  switchedOff: 6,
}
/** The result of a follow-up that a cause suggests to a telemarketer. */
export const FOLLOW_RESULT_OF: Partial<Record<EndCause, 10 | 11>> = {
  noAnswer: 11,
  busy: 11,
  switchedOff: 11,
  invalidNumber: 10,
}
