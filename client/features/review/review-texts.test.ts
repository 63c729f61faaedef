import { expect, test } from 'vitest'
import { QUALITY_CODES, REJECT_CODES } from '#shared/review/reject-reasons.ts'
import { REVIEW_STATES } from '#shared/review/review-lifecycle.ts'
import { QUALITY_STATES } from '#shared/review/quality-lifecycle.ts'
import { TELE_STATES } from '#shared/review/tele-lifecycle.ts'
import { DATA_ITEMS } from '#shared/review/review-api.ts'
import texts from '#locales/en/review.json'
import { CHECK_POINTS } from './desk/Checklist.tsx'
import { TELE_QUESTIONS } from './desk/TelePanel.tsx'
import { ROW_ACTIONS } from './review-rules.ts'

// the compiler does not check keys that are built from codes
test.each([
  ['state', REVIEW_STATES, texts.state],
  ['qualityState', QUALITY_STATES, texts.qualityState],
  ['tele', TELE_STATES, texts.tele],
  ['reject', REJECT_CODES, texts.reject],
  ['quality', QUALITY_CODES, texts.quality],
  ['item', DATA_ITEMS, texts.item],
  ['check', CHECK_POINTS, texts.check],
  ['question', TELE_QUESTIONS, texts.question],
  ['action', ROW_ACTIONS, texts.action],
] as const)('each %s has a label', (_, codes, words) => {
  expect(codes.filter((code) => !(code in words))).toEqual([])
})
