/**
 * The OpenAPI description of the calls, made from their endpoints at the first request: a start
 * does not wait for it. Nothing in it is compiled.
 */
import '@fastify/swagger'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { type Endpoint, fileRules, pathParts, placeOf } from '#shared/kernel/endpoint.ts'

/** @param base path before every call */
export function describedCalls(version: string, base: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lending console',
        version,
        description:
          'Calls of the core. Every answer is an envelope: `code` 200 or the refusal, `msg` for the ' +
          'user, `data`. Amounts are whole paise, days are IST days, rates are basis points.',
        contact: { name: 'Whoever runs this installation' },
      },
      servers: [{ url: base }],
    },
    transform: ({ schema, url, route }) => {
      const e = route.config?.endpoint
      return { schema: e === undefined ? schema : documentation(e), url }
    },
    transformObject(document) {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { openapiObject } = document
      const used = Object.values(openapiObject.paths ?? {}).flatMap((path) =>
        Object.values(path as Record<string, { tags?: string[] }>).flatMap(({ tags = [] }) => tags),
      )
      return { ...openapiObject, tags: [...new Set(used)].toSorted().map((name) => ({ name })) }
    },
  }
}

function documentation(e: Endpoint): FastifySchema {
  const { access } = e
  const who =
    typeof access === 'string'
      ? access
      : 'machine' in access
        ? `machine key with scope ${access.machine}`
        : access.join(' or ')
  const envelopeSchema = Type.Object({ code: Type.Integer(), msg: Type.String(), data: e.data })
  const files = fileRules(e)
    .map(
      ({ name, least, most, kinds, bytes }) =>
        `. Files as multipart/form-data in ${name}: ${least} to ${most}, ${kinds.join(', ')}, ` +
        `each up to ${bytes / 1_048_576} MB`,
    )
    .join('')
  const inPath = new Set(pathParts(e.path))
  const part = (isWanted: (name: string) => boolean): TSchema =>
    Type.Object(
      Object.fromEntries(Object.entries(e.input.properties).filter(([name]) => isWanted(name))),
    )
  return {
    operationId: operationId(e),
    summary: e.summary,
    description: `Permission: ${who}${files}`,
    tags: [e.path.split('/')[1] ?? ''],
    ...(inPath.size === 0 ? {} : { params: part((name) => inPath.has(name)) }),
    [placeOf(e) === 'query' ? 'querystring' : 'body']:
      inPath.size === 0 ? e.input : part((name) => !inPath.has(name)),
    response: { 200: envelopeSchema },
  }
}

/** `GET /code/valid/secret/:userId` → `getCodeValidSecretUserId`: unique, as method and path are. */
function operationId({ method, path }: Endpoint): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return [
    method.toLowerCase(),
    ...words.map((word) => (word[0] as string).toUpperCase() + word.slice(1)),
  ].join('')
}
