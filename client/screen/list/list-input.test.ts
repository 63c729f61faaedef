import Type from 'typebox'
import { expect, test } from 'vitest'
import { Day, endpoint, Time } from '#shared/kernel/endpoint.ts'
import { listInput } from './list-input.ts'

const LIST = endpoint({
  method: 'GET',
  path: '/list',
  access: ['list:view'],
  input: Type.Object({
    status: Type.Optional(Type.String()),
    ids: Type.Optional(Type.Array(Type.String())),
    online: Type.Optional(Type.Boolean()),
    channel: Type.Optional(Type.Integer()),
    timeFrom: Type.Optional(Time()),
    timeTo: Type.Optional(Time()),
    dayFrom: Type.Optional(Day()),
  }),
  data: Type.Null(),
  summary: 'A list',
})

test('filters take the types of the contract', () => {
  expect(
    listInput(LIST, { status: ['10', '22'], ids: ['a', 'b'], online: 'false', channel: '3' }),
  ).toEqual({ status: '10,22', ids: ['a', 'b'], online: false, channel: 3 })
})

test('a day becomes the first or the last instant of that day in India where an instant is asked', () => {
  expect(
    listInput(LIST, { timeFrom: '2026-11-01', timeTo: '2026-11-02', dayFrom: '2026-11-01' }),
  ).toEqual({
    timeFrom: '2026-10-31T18:30:00.000Z',
    timeTo: '2026-11-02T18:29:59.999Z',
    dayFrom: '2026-11-01',
  })
})

test('empty choices are left out', () => {
  expect(listInput(LIST, { status: [], online: undefined })).toEqual({})
})
