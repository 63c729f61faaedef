import Type from 'typebox'
import { endpoint, Id, OneOf, Text } from '#shared/kernel/endpoint.ts'
import { ATTACHED, InlineFiles } from '#shared/kernel/kept-file.ts'
import { CONTACT_WAYS } from '#shared/collection/collection-sets.ts'
import { PROGRESS_STATES } from './ticket-lifecycle.ts'
import { TICKET_TYPES } from './ticket-sets.ts'

/** Signed calls of the customer app about tickets. */
const strict = { additionalProperties: false }
const answer = Type.Object({ feedbackId: Type.String(), progress: OneOf(PROGRESS_STATES) })

export const inboundFeedback = endpoint({
  method: 'POST',
  path: '/inbound/feedback',
  access: { machine: 'feedback' },
  menu: 'user_feedback',
  /** With `feedbackId` a further message on that ticket, else a new ticket. */
  input: Type.Object(
    {
      userId: Id(),
      feedbackId: Type.Optional(Id()),
      type: Type.Unsafe<(typeof TICKET_TYPES)[number]>({
        type: 'integer',
        enum: [...TICKET_TYPES],
      }),
      content: Text(5, 1000),
      orderId: Type.Optional(Id()),
      contactWay: OneOf(CONTACT_WAYS),
      files: Type.Optional(InlineFiles(ATTACHED)),
    },
    strict,
  ),
  data: answer,
  audit: 'feedback',
  summary:
    'The customer writes a new ticket or a message; a message within 7 days reopens a resolved ticket',
})

export const inboundEvaluate = endpoint({
  method: 'POST',
  path: '/inbound/evaluate',
  access: { machine: 'feedback' },
  menu: 'user_feedback',
  input: Type.Object(
    { userId: Id(), feedbackId: Id(), evaluation: Type.Integer({ minimum: 1, maximum: 5 }) },
    strict,
  ),
  data: answer,
  audit: 'evaluate',
  summary: 'The customer rates a resolved ticket; a rating up to 2 reopens it within 7 days',
})
