/** Endpoints of the quality check of a decided review. */
import Type from 'typebox'
import { endpoint, Id, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { QUALITY_FAIL_CODES, QUALITY_PASS_CODES, type QualityCode } from './reject-reasons.ts'
import { ReviewRow } from './review-api.ts'

const version = Version()
const strict = { additionalProperties: false }
// both lists are literals with at least one code
const QUALITY_CODES = [...QUALITY_FAIL_CODES, ...QUALITY_PASS_CODES] as [
  QualityCode,
  ...QualityCode[],
]

export const openQualityCheck = endpoint({
  method: 'POST',
  path: '/review/quality/open',
  access: ['review_list:quality'],
  menu: 'review_list',
  input: Type.Object({ reviewId: Id(), version }, strict),
  data: ReviewRow,
  audit: 'qualityOpen',
  summary: 'An inspector opens a decided review for the quality check',
})

export const checkQuality = endpoint({
  method: 'POST',
  path: '/review/quality',
  access: ['review_list:quality'],
  menu: 'review_list',
  input: Type.Object(
    {
      reviewId: Id(),
      version,
      result: OneOf(['pass', 'fail']),
      qualityCode: OneOf(QUALITY_CODES),
      remark: Type.Optional(Text(0, 500)),
    },
    strict,
  ),
  data: ReviewRow,
  audit: 'quality',
  summary: 'Result of the quality check; the decision of the order stands',
})

export const appealQuality = endpoint({
  method: 'POST',
  path: '/review/quality/appeal',
  access: ['review_list:appeal'],
  menu: 'review_list',
  input: Type.Object({ reviewId: Id(), version, reason: Text(4, 500) }, strict),
  data: ReviewRow,
  audit: 'appeal',
  summary: 'The reviewer appeals against a failed check, once',
})

export const decideAppeal = endpoint({
  method: 'POST',
  path: '/review/quality/appealDecide',
  access: ['review_list:appealDecide'],
  menu: 'review_list',
  input: Type.Object(
    { reviewId: Id(), version, result: OneOf(['upheld', 'dismissed']), reason: Text(4, 500) },
    strict,
  ),
  data: ReviewRow,
  audit: 'appealDecide',
  summary: 'A leader decides the appeal',
})
