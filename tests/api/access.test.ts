/**
 * Every route × every role has a stated answer (`support/route-roles.ts`). A route that is missing
 * there, or a line without a route, fails.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Endpoint, placeOf } from '#shared/kernel/endpoint.ts'
import { type Floor, type Person, request, testManage } from '#tests/support/manage.ts'
import { EVERYBODY, ROUTE_ROLES } from '#tests/support/route-roles.ts'

let floor: Floor
const people = new Map<string, Person>()
const nameOf = (e: Endpoint) => `${e.method} ${e.path}`

beforeAll(async () => {
  floor = await testManage()
  for (const mark of EVERYBODY) people.set(mark, await floor.signIn(mark))
})
afterAll(() => floor.close())

test('every route is in the table, and every line of the table is a route', () => {
  expect(floor.manage.endpoints.map(nameOf).toSorted()).toEqual(Object.keys(ROUTE_ROLES).toSorted())
})

test('every route admits exactly the listed roles', async () => {
  const wrong: string[] = []
  for (const e of floor.manage.endpoints) {
    const roles = ROUTE_ROLES[nameOf(e)]
    if (!Array.isArray(roles) || e.path === '/sysUser/logout') continue
    for (const [mark, person] of people) {
      const answer = await person.send(e, sample(e))
      // A file has no envelope.
      const { code } = String(answer.headers['content-type']).startsWith('application/json')
        ? answer.json<{ code: number }>()
        : { code: answer.statusCode }
      if ((code !== 403) !== roles.includes(mark)) wrong.push(`${nameOf(e)} ${mark}: ${code}`)
      if (code === 500 || code === 401) wrong.push(`${nameOf(e)} ${mark}: ${code}`)
    }
  }
  expect(wrong).toEqual([])
})

test('no route is open without a session, with an invented or expired token, or with a cookie alone', async () => {
  const wrong: string[] = []
  const tries: Record<string, string>[] = [
    {},
    { authorization: 'x'.repeat(43) },
    { authorization: 'y'.repeat(500) },
    { cookie: `Admin-Token=${people.get('administrator')?.token ?? ''}` },
  ]
  for (const e of floor.manage.endpoints) {
    if (ROUTE_ROLES[nameOf(e)] === 'none') continue
    for (const headers of tries) {
      const { code } = (await request(floor.manage.app, e, sample(e), headers)).json<{
        code: number
      }>()
      if (code !== 401) wrong.push(`${nameOf(e)} ${JSON.stringify(Object.keys(headers))}: ${code}`)
    }
  }
  expect(wrong).toEqual([])
})

test('every call is described with an id of its own, its tag, its permission and its parameters', () => {
  interface Operation {
    operationId?: string
    summary?: string
    description?: string
    tags?: string[]
    parameters?: { name: string; in: string; required?: boolean }[]
    requestBody?: unknown
    responses?: Record<string, { description?: string }>
  }
  const document = floor.manage.app.swagger() as {
    info: { title: string; version: string; description?: string; contact?: { name: string } }
    servers: { url: string }[]
    tags: { name: string }[]
    components: { schemas: Record<string, { title?: string; properties?: object }> }
    paths: Record<string, Record<string, Operation>>
  }
  expect(document.info.contact?.name).toBeTruthy()
  expect(document.info.description).toBeTruthy()
  expect(document.servers).toHaveLength(1)
  const tags = new Set(document.tags.map(({ name }) => name))
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
  expect(operations).toHaveLength(floor.manage.endpoints.length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  const wrong = operations.filter(
    ({ path, method, operationId, summary, description, parameters = [], responses, ...rest }) =>
      !/^[a-z][A-Za-z0-9]+$/.test(operationId ?? '') ||
      !summary ||
      !description ||
      rest.tags?.length !== 1 ||
      !tags.has(rest.tags[0] as string) ||
      !responses?.['200']?.description ||
      (method === 'get' && rest.requestBody !== undefined) ||
      // a part of the path is a required parameter, in the path alone
      [...path.matchAll(/\{(\w+)\}/g)].some(
        ([, name]) =>
          parameters.filter((one) => one.name === name).length !== 1 ||
          !parameters.some((one) => one.name === name && one.in === 'path' && one.required),
      ),
  )
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  // each tree has a node of its own
  const { components } = document
  const partsOf = (title: string): string[] =>
    Object.keys(
      Object.values(components.schemas).find((schema) => schema.title === title)?.properties ?? {},
    )
  expect(partsOf('PermissionNode')).toContain('buttons')
  expect(partsOf('MenuNode')).toContain('component')
})

test('a machine call is closed to every session, including an administrator', async () => {
  const administrator = people.get('administrator') as Person
  for (const e of floor.manage.endpoints) {
    if (ROUTE_ROLES[nameOf(e)] !== 'machine') continue
    expect((await administrator.send(e, sample(e))).json<{ code: number }>().code).toBe(401)
  }
})

test('a write rejects unknown fields', async () => {
  const administrator = people.get('administrator') as Person
  for (const e of floor.manage.endpoints) {
    if (
      !Array.isArray(ROUTE_ROLES[nameOf(e)]) ||
      e.method === 'GET' ||
      Object.keys(e.input.properties).length === 0
    )
      continue
    // A query also has cache-busting parameters: unknown parameters never reach the command.
    if (placeOf(e) === 'query') continue
    for (const extra of ['role', 'userId2', 'agencyId', 'status', 'token2', 'isAdmin']) {
      if (Object.hasOwn(e.input.properties, extra)) continue
      const answer = (await administrator.send(e, { ...sample(e), [extra]: 'x' })).json<{
        code: number
        data: { fields?: Record<string, string> }
      }>()
      expect({ path: e.path, code: answer.code, field: answer.data.fields?.[extra] }).toEqual({
        path: e.path,
        code: 400,
        field: 'unknown',
      })
    }
  }
})

/** An input whose ids match no row. */
function sample(e: Endpoint): Record<string, unknown> {
  const known: Record<string, unknown> = {
    reviewId: 'R1',
    orderId: 'L1',
    jobId: 'J1',
    photoId: 'F1',
    caseId: 'CA1',
    userId: 'C1',
    kind: 'reject',
    tab: 'queue',
    segment: 'no_certified',
  }
  return Object.fromEntries(
    Object.keys(e.input.properties).flatMap((name) =>
      e.method === 'GET' && name in known ? [[name, known[name]]] : [],
    ),
  )
}
