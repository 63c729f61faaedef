/** Endpoints of hand-overs of reviews. */
import Type from 'typebox'
import { endpoint, Id, OneOf, Text } from '#shared/kernel/endpoint.ts'
import { BULK_MAX, BulkData } from '#shared/kernel/page.ts'

const reason = Text(4, 200)
const strict = { additionalProperties: false }

export const requestHandover = endpoint({
  method: 'POST',
  path: '/review/handover',
  access: ['review_list:handover', 'review_list:approve'],
  menu: 'review_list',
  input: Type.Object(
    { reviewIds: Type.Array(Id(), { maxItems: BULK_MAX }), toUserId: Id(), reason },
    strict,
  ),
  data: BulkData(),
  audit: 'handover',
  summary: 'Requests a hand-over of claims to a colleague; the lease keeps running',
})

export const decideHandover = endpoint({
  method: 'POST',
  path: '/review/handover/decide',
  access: ['review_list:handover', 'review_list:approve'],
  menu: 'review_list',
  input: Type.Object(
    {
      handoverIds: Type.Array(Id(), { maxItems: BULK_MAX }),
      result: OneOf(['approved', 'rejected', 'cancelled']),
      reason: Type.Optional(reason),
    },
    strict,
  ),
  data: BulkData(),
  audit: 'handoverDecide',
  summary: 'The receiver or a leader approves or rejects, the requester cancels',
})
