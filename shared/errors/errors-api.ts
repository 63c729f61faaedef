import Type from 'typebox'
import { endpoint, Nothing, Text } from '#shared/kernel/endpoint.ts'

export const MESSAGE_MAX = 2_000
export const STACK_MAX = 8_000

export const reportError = endpoint({
  method: 'POST',
  path: '/client/error',
  access: 'any',
  input: Type.Object(
    {
      message: Text(1, MESSAGE_MAX),
      stack: Type.Optional(Text(0, STACK_MAX)),
      url: Text(1, 2_000),
      version: Text(1, 64),
    },
    { additionalProperties: false },
  ),
  data: Nothing(),
  audit: 'clientError',
  summary: 'Stores an error of the browser, at most 20 per minute and session',
})
