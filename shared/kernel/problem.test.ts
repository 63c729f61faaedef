import { expect, test } from 'vitest'
import * as problems from './problem.ts'
import {
  CHANGED_BY_OTHER,
  fill,
  INVALID_FIELDS,
  Problem,
  TOO_LARGE,
  type ProblemKind,
} from './problem.ts'

test('a problem carries the code, id, params and filled message of its kind', () => {
  const problem = new Problem(CHANGED_BY_OTHER, { userName: 'Asha' }, { version: 4 })
  expect(problem).toBeInstanceOf(Error)
  expect(problem).toMatchObject({
    name: 'Problem',
    id: 'G409',
    code: 409,
    httpStatus: 200,
    message: 'Changed by Asha; the latest values are shown',
    params: { userName: 'Asha' },
    data: { version: 4 },
  })
})

test('a problem without data has null', () => {
  expect(new Problem(INVALID_FIELDS).data).toBeNull()
})

test('a transport problem keeps its HTTP status', () => {
  expect(new Problem(TOO_LARGE, { n: 5 })).toMatchObject({
    httpStatus: 413,
    message: 'The request is larger than 5 MB',
  })
})

test('fill replaces every placeholder, also a repeated one', () => {
  expect(fill('{a} of {b}, {a}', { a: 1, b: 'two' })).toBe('1 of two, 1')
})

test('an unknown name stays visible', () => {
  expect(fill('No {thing} {constructor}', {})).toBe('No {thing} {constructor}')
})

test('a value that looks like a placeholder is not replaced', () => {
  expect(fill('{a} {b}', { a: '{b}', b: '$&' })).toBe('{b} $&')
})

test('the common problems have different ids and codes a client understands', () => {
  const kinds = Object.values(problems).filter(
    (value): value is ProblemKind => typeof value === 'object' && 'msg' in value,
  )
  expect(kinds.length).toBeGreaterThan(10)
  expect(new Set(kinds.map((kind) => kind.id)).size).toBe(kinds.length)
  for (const kind of kinds) expect([400, 401, 403, 404, 409], kind.id).toContain(kind.code)
})

test('a refusal of fields names them', () => {
  const problemOf = (fields: Record<string, string>) =>
    new Problem(problems.INVALID_FIELDS, {}, { fields })
  expect(problemOf({ reason: 'required' }).message).toBe('Reason is required')
  expect(problemOf({ dueTimeFrom: 'pattern' }).message).toBe('Due time from is not correct')
  expect(
    problemOf({ reason: 'required', amount: 'minimum', 'rows.0.utr': 'pattern' }),
  ).toMatchObject({
    code: 400,
    message: '3 fields to check: Reason, Amount, Rows.0.utr',
    params: { count: 3, names: 'Reason, Amount, Rows.0.utr' },
  })
})
