/** Every route × every role has a stated answer (trust.md E1, G3). A route that is missing here, or a line without a route, fails. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { ROLES } from '#shared/session/roles.ts'
import { type Floor, type Person, request, testManage } from '#tests/support/manage.ts'

type Marks = readonly string[]
const EVERYBODY: Marks = ROLES.map((role) => role.mark)
const REVIEW_VIEW: Marks = ['administrator', 'director', 'manager', 'reviewer', 'quality_inspector']
const ORDER_VIEW: Marks = ['administrator', 'director', 'manager', 'customer_service', 'internal_supervisor', 'reviewer', 'quality_inspector']
const ADM_REV: Marks = ['administrator', 'reviewer']
const ADM_MGR: Marks = ['administrator', 'manager']
const ADM_QI: Marks = ['administrator', 'quality_inspector']
const REVIEWERS_AND_LEADERS: Marks = ['administrator', 'manager', 'reviewer']

/** Who gets past the door; what lies behind (rows, states, fields) is each call's own matter. `none` needs no session, `machine` a signature. */
const DOORS: Record<string, Marks | 'none' | 'machine'> = {
  'POST /login': 'none',
  'GET /get/info': EVERYBODY,
  'GET /get/time': EVERYBODY,
  'GET /sysRole/current': EVERYBODY,
  'GET /slider': EVERYBODY,
  'POST /sysUser/logout': EVERYBODY,
  'GET /live/rooms': EVERYBODY,
  'GET /docs/openapi.json': EVERYBODY,
  'GET /job/list': EVERYBODY,
  'GET /job/detail': EVERYBODY,
  'POST /job/cancel': EVERYBODY,
  'POST /job/retry': EVERYBODY,
  'GET /order/list': ORDER_VIEW,
  'GET /order/options': ORDER_VIEW,
  'GET /order/detail': ORDER_VIEW,
  'GET /order/timeline': ORDER_VIEW,
  'POST /order/cancel': ['administrator', 'manager', 'customer_service'],
  'POST /order/remark': ['administrator', 'manager', 'customer_service'],
  'GET /review/list': REVIEW_VIEW,
  'GET /review/detail': REVIEW_VIEW,
  'GET /review/reasons': REVIEW_VIEW,
  'GET /review/colleagues': REVIEWERS_AND_LEADERS,
  'POST /review/claim': ADM_REV,
  'POST /review/assign': ADM_MGR,
  'POST /review/takeOver': ADM_MGR,
  'POST /review/open': REVIEWERS_AND_LEADERS,
  'POST /review/renew': REVIEWERS_AND_LEADERS,
  'POST /review/release': REVIEWERS_AND_LEADERS,
  'POST /review/decide': REVIEWERS_AND_LEADERS,
  'POST /review/escalate': ADM_REV,
  'POST /review/retry': ADM_MGR,
  'POST /review/askCustomer': ADM_REV,
  'POST /review/tele': ADM_REV,
  'POST /review/handover': REVIEWERS_AND_LEADERS,
  'POST /review/handover/decide': REVIEWERS_AND_LEADERS,
  'POST /review/quality/open': ADM_QI,
  'POST /review/quality': ADM_QI,
  'POST /review/quality/appeal': ADM_REV,
  'POST /review/quality/appealDecide': ADM_MGR,
  'POST /userInfo/reveal': ['administrator', 'manager', 'customer_service', 'reviewer'],
  'GET /userInfo/photo': ['administrator', 'manager', 'reviewer', 'quality_inspector'],
  'POST /inbound/application': 'machine',
  'POST /inbound/machineReview': 'machine',
  'POST /inbound/resubmit': 'machine',
  'POST /inbound/payout': 'machine',
  'POST /inbound/cancel': 'machine',
}

let floor: Floor
const people = new Map<string, Person>()
const nameOf = (e: Endpoint) => `${e.method} ${e.path}`

beforeAll(async () => {
  floor = await testManage()
  for (const mark of EVERYBODY) people.set(mark, await floor.signIn(mark))
})
afterAll(() => floor.close())

test('every route is stated here, and every line is a route', () => {
  expect(floor.manage.endpoints.map(nameOf).sort()).toEqual(Object.keys(DOORS).sort())
})

test('every route lets in exactly the roles stated', async () => {
  const wrong: string[] = []
  for (const e of floor.manage.endpoints) {
    const door = DOORS[nameOf(e)]
    if (!Array.isArray(door) || e.path === '/sysUser/logout') continue
    for (const [mark, person] of people) {
      const { code } = (await person.send(e, sample(e))).json<{ code: number }>()
      if ((code !== 403) !== door.includes(mark)) wrong.push(`${nameOf(e)} ${mark}: ${code}`)
      if (code === 500 || code === 401) wrong.push(`${nameOf(e)} ${mark}: ${code}`)
    }
  }
  expect(wrong).toEqual([])
})

test('no route is open without a session, with a made-up or expired token, or by a cookie alone', async () => {
  const wrong: string[] = []
  const tries: Record<string, string>[] = [{}, { authorization: 'x'.repeat(43) }, { authorization: 'y'.repeat(500) }, { cookie: `Admin-Token=${people.get('administrator')?.token ?? ''}` }]
  for (const e of floor.manage.endpoints) {
    if (DOORS[nameOf(e)] === 'none') continue
    for (const headers of tries) {
      const { code } = (await request(floor.manage.app, e, sample(e), headers)).json<{ code: number }>()
      if (code !== 401) wrong.push(`${nameOf(e)} ${JSON.stringify(Object.keys(headers))}: ${code}`)
    }
  }
  expect(wrong).toEqual([])
})

test('a machine call is not open to a session, not even an administrator', async () => {
  const administrator = people.get('administrator') as Person
  for (const e of floor.manage.endpoints) {
    if (DOORS[nameOf(e)] !== 'machine') continue
    expect((await administrator.send(e, sample(e))).json<{ code: number }>().code).toBe(401)
  }
})

test('a write refuses fields it does not name', async () => {
  const administrator = people.get('administrator') as Person
  for (const e of floor.manage.endpoints) {
    if (!Array.isArray(DOORS[nameOf(e)]) || e.method === 'GET' || Object.keys(e.input.properties).length === 0) continue
    for (const extra of ['role', 'userId2', 'agencyId', 'status', 'token2', 'isAdmin']) {
      const answer = (await administrator.send(e, { ...sample(e), [extra]: 'x' })).json<{ code: number; data: { fields?: Record<string, string> } }>()
      expect({ path: e.path, code: answer.code, field: answer.data.fields?.[extra] }).toEqual({ path: e.path, code: 422, field: 'unknown' })
    }
  }
})

/** An input that opens nothing: ids of no row. */
function sample(e: Endpoint): Record<string, unknown> {
  const known: Record<string, unknown> = { reviewId: 'R1', orderId: 'L1', jobId: 'J1', photoId: 'F1', userId: 'C1', kind: 'reject', tab: 'queue' }
  return Object.fromEntries(Object.keys(e.input.properties).flatMap((name) => (e.method === 'GET' && name in known ? [[name, known[name]]] : [])))
}
