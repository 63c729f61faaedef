import Type from 'typebox'
import { expect, test } from 'vitest'
import { Day, Nullable, OneOf, Paise, Text } from '#shared/kernel/endpoint.ts'
import { faultOfError, requiredNames, schemaInput, schemaResolver, serverFaults } from './form.ts'
import { schemaFaults } from './schema-check.ts'

const schema = Type.Object(
  {
    id: Type.String(),
    version: Type.Integer(),
    remark: Text(4, 100),
    amount: Paise({ minimum: 100 }),
    day: Type.Optional(Day()),
    kind: OneOf(['a', 'b']),
    note: Nullable(Text(2, 10)),
    tags: Type.Optional(Type.Array(Type.String(), { minItems: 2 })),
    code: Type.Optional(Type.String({ pattern: '^A', fault: 'orders:fault.code' })),
  },
  { additionalProperties: false },
)
const omit = ['id', 'version']
const right = { remark: 'agreed', amount: 500, kind: 'a', note: null }
const keys = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(schemaFaults(schema, values, omit)).map(([name, f]) => [name, f.key]),
  )

test('a valid form has no errors', () => {
  expect(schemaFaults(schema, right, omit)).toEqual({})
})

test('every invalid field is reported, also when a field is missing', () => {
  expect(
    keys({ remark: 'no', amount: 50, day: '2026-02-31x', kind: 'z', note: 'x', tags: ['a'] }),
  ).toEqual({
    remark: 'ui:fault.minLength',
    amount: 'ui:fault.minimum',
    day: 'ui:fault.pattern',
    kind: 'ui:fault.choice',
    note: 'ui:fault.minLength',
    tags: 'ui:fault.minItems',
  })
  expect(keys({ amount: 50, remark: '   ' })).toEqual({
    remark: 'ui:fault.required',
    amount: 'ui:fault.minimum',
    kind: 'ui:fault.required',
  })
})

test('an error contains the limit', () => {
  expect(schemaFaults(schema, { ...right, remark: 'no' }, omit).remark).toEqual({
    key: 'ui:fault.minLength',
    params: { limit: 4 },
  })
})

test('a schema may define its own message', () => {
  expect(keys({ ...right, code: 'B' })).toEqual({ code: 'orders:fault.code' })
})

test('blank optional fields are not sent and blank nullable ones are null', () => {
  expect(schemaInput(schema, { ...right, day: '', note: '', stray: 1 })).toEqual({
    remark: 'agreed',
    amount: 500,
    kind: 'a',
    note: null,
  })
})

test('a switch and a field that may be sent as null are not marked as required', () => {
  const fields = { name: Type.String(), active: Type.Boolean(), note: Nullable(Text(2, 10)) }
  expect(requiredNames(Type.Object(fields))).toEqual(['name'])
})

test('a value can make another field required', async () => {
  const resolver = schemaResolver<Record<string, unknown>>(schema, {
    omit,
    alsoRequired: ({ kind }) => (kind === 'a' ? ['note', 'day'] : []),
    check: () => ({ note: { key: 'orders:fault.note', params: {} } }),
  })
  const answer = async (values: Record<string, unknown>) => {
    const { errors } = await resolver(values, undefined, {
      fields: {},
      shouldUseNativeValidation: false,
    })
    return Object.entries(errors).map(([name, error]) => `${name} ${error?.message}`)
  }
  expect(await answer({ ...right, kind: 'a', note: ' ', day: '' })).toEqual([
    'note ui:fault.required',
    'day ui:fault.required',
  ])
  expect(await answer({ ...right, kind: 'b', note: '', day: '' })).toEqual([
    'note orders:fault.note',
  ])
})

test('a rule over two fields shows its error beside those of single fields', async () => {
  const resolver = schemaResolver<Record<string, unknown>>(schema, {
    omit,
    check: (v) =>
      v.kind !== 'b' && v.note ? { note: { key: 'orders:fault.note', params: {} } } : null,
  })
  const answer = async (values: Record<string, unknown>) =>
    Object.keys(
      (await resolver(values, undefined, { fields: {}, shouldUseNativeValidation: false })).errors,
    ).toSorted()
  expect(await answer(right)).toEqual([])
  expect(await answer({ ...right, note: 'both' })).toEqual(['note'])
  expect(await answer({ ...right, note: 'both', kind: '' })).toEqual(['kind', 'note'])
})

test('a field that is wrong by itself keeps that error', async () => {
  const resolver = schemaResolver<Record<string, unknown>>(schema, {
    omit,
    check: () => ({ kind: { key: 'orders:fault.note', params: {} } }),
  })
  const { errors } = await resolver({ ...right, kind: '' }, undefined, {
    fields: {},
    shouldUseNativeValidation: false,
  })
  expect(errors.kind?.message).toBe('ui:fault.required')
})

test('fields rejected by the server become errors with the limit of the schema', () => {
  expect(
    serverFaults(
      {
        fields: {
          remark: 'minLength',
          note: 'maxLength',
          amount: 'orders:fault.tooMuch',
          day: 'unknown',
          'tags.0': 'minLength',
        },
      },
      schema,
    ),
  ).toEqual({
    remark: { key: 'ui:fault.minLength', params: { limit: 4 } },
    note: { key: 'ui:fault.maxLength', params: { limit: 10 } },
    amount: { key: 'orders:fault.tooMuch', params: {} },
    day: { key: 'ui:fault.unknown', params: {} },
    tags: { key: 'ui:fault.invalid', params: {} },
  })
  expect(serverFaults({ data: { fields: { a: 'required', b: 'minLength' } } })).toEqual({
    a: { key: 'ui:fault.required', params: {} },
    b: { key: 'ui:fault.invalid', params: {} },
  })
  expect(serverFaults(new Error('x'))).toEqual({})
})

test('the parameters of an error survive the form library', () => {
  expect(
    faultOfError({ type: 'schema', message: 'ui:fault.minLength', types: { limit: 4 } as never }),
  ).toEqual({ key: 'ui:fault.minLength', params: { limit: 4 } })
  expect(faultOfError(undefined)).toBeNull()
})

test('an unreadable amount is an error, even in an optional field', async () => {
  const optional = Type.Object({
    remark: Text(4, 100),
    amount: Type.Optional(Nullable(Paise({ minimum: 1 }))),
  })
  const resolve = schemaResolver<Record<string, unknown>>(optional)
  const answer = await resolve({ remark: 'agreed', amount: Number.NaN }, undefined, {
    fields: {},
    shouldUseNativeValidation: false,
  })
  expect(
    Object.fromEntries(
      Object.entries(answer.errors).map(([name, error]) => [
        name,
        (error as { message: string }).message,
      ]),
    ),
  ).toEqual({ amount: 'ui:fault.invalid' })
})
