import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of ticket commands. */
export const TICKET_STATE: ProblemKind = { id: 'F-STATE', code: 409, msg: 'Ticket is {progress}' }
export const TICKET_OWN: ProblemKind = {
  id: 'F-OWN',
  code: 409,
  msg: 'Ticket belongs to {userName}',
}
/** The caller's claim ended and the ticket has no processor. */
export const TICKET_CLAIM_OVER: ProblemKind = {
  id: 'F-LEASE',
  code: 409,
  msg: 'Your claim of this ticket has ended',
}
export const HANDOVER_PENDING: ProblemKind = {
  id: 'F-HAND',
  code: 409,
  msg: 'A hand-over is pending',
}
export const HANDOVER_STATE: ProblemKind = {
  id: 'F-HANDST',
  code: 409,
  msg: 'This hand-over is {state}',
}
export const TOP_LEVEL: ProblemKind = {
  id: 'F-TOP',
  code: 400,
  msg: 'The ticket is at the highest level',
}
export const TOO_MANY_TICKETS: ProblemKind = {
  id: 'F-MAX',
  code: 400,
  msg: '{userName} may hold {n} tickets',
}
export const TAKES_NO_TICKETS: ProblemKind = {
  id: 'F-DUTY',
  code: 400,
  msg: '{userName} takes no tickets of this queue at the moment',
}
/** Nobody of the department can take it. */
export const NOBODY_TAKES: ProblemKind = {
  id: 'F-NOBODY',
  code: 400,
  msg: 'Nobody of {department} takes tickets of this queue at the moment',
}
/** A complaint is never handed to the person it is about. */
export const CONCERNED: ProblemKind = {
  id: 'F-ABOUT',
  code: 400,
  msg: 'The ticket is about {userName}; choose somebody else',
}
