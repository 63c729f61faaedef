/** Every route × every role has a stated answer (trust.md E1, G3). A route that is missing here, or a line without a route, fails. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Endpoint, placeOf } from '#shared/kernel/endpoint.ts'
import { ROLES } from '#shared/session/roles.ts'
import { type Floor, type Person, request, testManage } from '#tests/support/manage.ts'

type Marks = readonly string[]
const EVERYBODY: Marks = ROLES.map((role) => role.mark)
const REVIEW_VIEW: Marks = ['administrator', 'director', 'manager', 'reviewer', 'quality_inspector']
const ORDER_VIEW: Marks = [
  'administrator',
  'director',
  'manager',
  'customer_service',
  'internal_supervisor',
  'reviewer',
  'quality_inspector',
]
const ORDER_PAGE: Marks = [
  ...ORDER_VIEW,
  'collection_specialist',
  'collector',
  'team_leader',
  'external_supervisor',
]
const LOAN_VIEW: Marks = [
  'administrator',
  'director',
  'manager',
  'customer_service',
  'internal_supervisor',
]
const MONEY_VIEW: Marks = [
  'administrator',
  'director',
  'manager',
  'customer_service',
  'collection_specialist',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const CUSTOMER_VIEW: Marks = [
  'administrator',
  'director',
  'manager',
  'customer_service',
  'group_leader',
  'internal_supervisor',
  'reviewer',
  'quality_inspector',
]
const ADM_REV: Marks = ['administrator', 'reviewer']
const ADM: Marks = ['administrator']
const ADM_MGR: Marks = ['administrator', 'manager']
const ADM_QI: Marks = ['administrator', 'quality_inspector']
const COLLECTION_VIEW: Marks = [
  'administrator',
  'director',
  'manager',
  'collection_specialist',
  'collector',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const SETUP_VIEW: Marks = [
  'administrator',
  'director',
  'manager',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const UNITS_VIEW: Marks = [
  'administrator',
  'director',
  'manager',
  'internal_supervisor',
  'external_supervisor',
]
const PERSON_LEADERS: Marks = [
  'administrator',
  'manager',
  'internal_supervisor',
  'external_supervisor',
]
const DUTY_LEADERS: Marks = [
  'administrator',
  'manager',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const DESK_VIEW: Marks = [
  'administrator',
  'director',
  'manager',
  'customer_service',
  'collection_specialist',
  'collector',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const DESK: Marks = [
  'administrator',
  'collection_specialist',
  'collector',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const DESK_AND_OFFICE: Marks = [...DESK, 'manager', 'customer_service']
const ADM_MGR_ISV: Marks = ['administrator', 'manager', 'internal_supervisor']
const TICKET_DESK: Marks = [
  'administrator',
  'manager',
  'customer_service',
  'collection_specialist',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const REVIEWERS_AND_LEADERS: Marks = ['administrator', 'manager', 'reviewer']

/** Who gets past the door; what lies behind (rows, states, fields) is each call's own matter. `none` needs no session, `machine` a signature. */
const DOORS: Record<string, Marks | 'none' | 'machine'> = {
  'POST /login': 'none',
  'POST /login/verify': 'none',
  'POST /sysUser/resetPwd': EVERYBODY,
  'GET /session/list': EVERYBODY,
  'POST /session/end': EVERYBODY,
  // another's account answers as one that does not exist, without user:twoFactor
  'GET /code/valid/state': EVERYBODY,
  'GET /code/valid/secret/:userId': EVERYBODY,
  'GET /code/valid/save/:userId/:switchVal/:validSecret': EVERYBODY,
  'GET /get/info': EVERYBODY,
  'GET /get/time': EVERYBODY,
  'GET /sysRole/current': EVERYBODY,
  'GET /slider': EVERYBODY,
  'POST /sysUser/logout': EVERYBODY,
  'GET /live/rooms': EVERYBODY,
  'GET /docs/openapi.json': EVERYBODY,
  'GET /report/workbench': EVERYBODY,
  'GET /pref/get': EVERYBODY,
  'POST /pref/save': EVERYBODY,
  'POST /client/error': EVERYBODY,
  'GET /search': EVERYBODY,
  'GET /view/list': EVERYBODY,
  'POST /view/save': EVERYBODY,
  'DELETE /view/delete': EVERYBODY,
  'GET /notification/list': EVERYBODY,
  'POST /notification/read': EVERYBODY,
  'GET /notice/mine': EVERYBODY,
  'POST /notice/exposed': EVERYBODY,
  'GET /sys/config/list': ADM_MGR,
  // those that are public for everybody
  'GET /sys/config/find': EVERYBODY,
  'POST /sys/config/addConfig': ADM,
  'PUT /sys/config/updateConfig': ADM,
  'PUT /sys/config/modifyState': ADM,
  'POST /sys/config/refreshConfig': ADM,
  'POST /sys/config/batch/add': ADM,
  'POST /sys/config/batch/edit': ADM,
  'GET /sys/dict/listDict': EVERYBODY,
  'GET /sys/dict/listDictDetail': EVERYBODY,
  'POST /sys/dict/addDict': ADM,
  'PUT /sys/dict/updateDict': ADM,
  'DELETE /sys/dict/deleteDict': ADM,
  'POST /sys/dict/addDictDetail': ADM,
  'PUT /sys/dict/updateDictDetail': ADM,
  'DELETE /sys/dict/deleteDictDetail': ADM,
  'POST /sys/dict/generate/dict': ADM,
  'GET /phone/line/list': [
    'administrator',
    'manager',
    'group_leader',
    'internal_supervisor',
    'external_supervisor',
  ],
  'GET /phone/seat/people': ADM_MGR,
  'POST /phone/line/add': ADM_MGR,
  'POST /phone/line/edit': ADM_MGR,
  'POST /phone/line/status': ADM_MGR,
  'POST /phone/seat/bind': ADM_MGR,
  'GET /notice/list': ['administrator', 'director', 'manager'],
  'POST /notice/add': ADM_MGR,
  'POST /notice/edit': ADM_MGR,
  'POST /notice/status': ADM_MGR,
  'DELETE /notice/delete': ADM_MGR,
  'GET /job/list': EVERYBODY,
  'GET /job/detail': EVERYBODY,
  'GET /job/outcome': EVERYBODY,
  'POST /job/cancel': EVERYBODY,
  // the list's own export code decides
  'POST /export/batch': EVERYBODY,
  'GET /job/download': EVERYBODY,
  // with the export code of one of its lists
  'GET /export/list/orderExport': ['administrator', 'director', 'manager'],
  'GET /export/list/loanExport': ['administrator', 'director', 'manager'],
  'GET /export/list/payoutExport': ADM_MGR,
  'GET /export/list/repayExport': ['administrator', 'director', 'manager'],
  'GET /export/list/feedbackExport': ['administrator', 'director', 'manager'],
  'GET /export/list/reviewExport': ADM_MGR,
  'GET /export/list/homeExport': ADM_MGR,
  'GET /export/collection/performance': [
    'administrator',
    'director',
    'manager',
    'team_leader',
    'internal_supervisor',
    'external_supervisor',
  ],
  'GET /export/collection/task': [
    'administrator',
    'director',
    'manager',
    'team_leader',
    'internal_supervisor',
    'external_supervisor',
  ],
  'GET /export/collection/repayment': UNITS_VIEW,
  'GET /export/collection/reduce': UNITS_VIEW,
  'GET /export/collection/balance': ['administrator', 'director', 'manager'],
  'GET /export/operateLog': ADM,
  'POST /job/retry': EVERYBODY,
  'GET /sysUser/list': ADM_MGR,
  'GET /sysUser/detail': ADM_MGR,
  'POST /sysUser/add': ADM,
  'POST /sysUser/edit': ADM,
  'POST /sysUser/status': ADM,
  'POST /sysUser/unlock': ADM,
  'POST /sysUser/adminReset': ADM,
  'POST /sysUser/kick': ADM,
  'GET /sysRole/list': ['administrator', 'director', 'manager'],
  'GET /sysRole/detail': ['administrator', 'director'],
  'POST /sysRole/all/menu': ['administrator', 'director'],
  'POST /sysRole/edit': ADM,
  'POST /product/page': ['administrator', 'director', 'manager'],
  'GET /product/options': ['administrator', 'director', 'manager'],
  'GET /product/get/quota': ['administrator', 'director', 'manager'],
  'GET /product/get/penalty': ['administrator', 'director', 'manager'],
  'GET /product/get/extend': ['administrator', 'director', 'manager'],
  'GET /merchant/list': ['administrator', 'director', 'manager'],
  'GET /product/logo': ['administrator', 'director', 'manager'],
  'GET /product/download/product/template': ADM_MGR,
  'POST /product/add': ADM_MGR,
  'POST /product/edit': ADM_MGR,
  'PUT /product/edit/status': ADM_MGR,
  'POST /product/edit/quota': ADM_MGR,
  'POST /product/edit/penalty': ADM_MGR,
  'POST /product/edit/extend': ADM_MGR,
  'POST /merchant/product/add': ADM_MGR,
  'GET /product/redisRefresh': ADM,
  'POST /operateLog/List': ['administrator', 'director'],
  'GET /ledger/proof': ['administrator', 'director'],
  'POST /ledger/prove': ADM,
  'GET /operateLog/pageSelectors': ['administrator', 'director'],
  'GET /operateLog/verify': ['administrator', 'director'],
  'GET /client/error/list': ['administrator', 'director'],
  'GET /order/list': ORDER_VIEW,
  'GET /order/options': ORDER_VIEW,
  'GET /order/detail': ORDER_PAGE,
  'GET /order/timeline': ORDER_PAGE,
  'POST /order/cancel': ['administrator', 'manager', 'customer_service'],
  'POST /order/remark': ['administrator', 'manager', 'customer_service'],
  'POST /order/cure': ADM_MGR,
  'POST /order/coolingOff': ['administrator', 'manager', 'customer_service'],
  'GET /loan/list': LOAN_VIEW,
  'GET /loan/transfer/list': LOAN_VIEW,
  'GET /loan/wait/list': ['administrator', 'director', 'manager', 'customer_service'],
  'GET /loan/vendors': LOAN_VIEW,
  'POST /loan/wait/preview': ADM_MGR,
  'POST /loan/redisburse': ADM_MGR,
  'POST /loan/cancelDisburse': ADM_MGR,
  'POST /loan/transfer/handle': ADM_MGR,
  'GET /repay/plan/list': MONEY_VIEW,
  'GET /repay/plan/options': MONEY_VIEW,
  'GET /repay/plan/detail': [...MONEY_VIEW, 'collector', 'quality_inspector'],
  'GET /repay/quote': [...MONEY_VIEW, 'collector', 'quality_inspector'],
  'GET /repay/record/list': MONEY_VIEW,
  'GET /repay/record/detail': MONEY_VIEW,
  'GET /repay/record/preview': ['administrator', 'manager', 'customer_service'],
  'GET /repay/record/confirm/preview': ADM_MGR,
  'POST /repay/record/add': ['administrator', 'manager', 'customer_service'],
  'POST /repay/record/confirm': ADM_MGR,
  'GET /repay/record/reverse/preview': ADM_MGR,
  'POST /repay/record/reverse': ADM_MGR,
  'GET /reduce/list': [...DESK, 'director', 'manager', 'customer_service'],
  'GET /reduce/limit': [...DESK, 'manager'],
  'POST /reduce/launch': [...DESK, 'manager'],
  'POST /reduce/withdraw': [...DESK, 'manager'],
  'POST /reduce/preview': [
    'administrator',
    'director',
    'manager',
    'internal_supervisor',
    'team_leader',
  ],
  'POST /reduce/decide': [
    'administrator',
    'director',
    'manager',
    'internal_supervisor',
    'team_leader',
  ],
  'POST /reduce/revoke': [
    'administrator',
    'director',
    'manager',
    'internal_supervisor',
    'team_leader',
  ],
  'GET /repay/proof/list': [...DESK, 'director', 'manager', 'customer_service'],
  'GET /repay/proof/file': [...DESK, 'director', 'manager', 'customer_service'],
  // of the repayment plans, and of a case
  'POST /repay/link/send': DESK_AND_OFFICE,
  'POST /repay/proof/add': [
    'administrator',
    'manager',
    'customer_service',
    'collection_specialist',
    'collector',
    'team_leader',
  ],
  'POST /repay/proof/decide': ['administrator', 'manager', 'customer_service'],
  'GET /flat/list': [
    'administrator',
    'director',
    'manager',
    'customer_service',
    'internal_supervisor',
  ],
  'GET /flat/quote': ['administrator', 'director', 'manager'],
  'POST /flat/launch': ['administrator', 'director', 'manager'],
  'POST /flat/batch/preview': ADM_MGR,
  'GET /export/template/flat': ADM_MGR,
  'POST /flat/batch': ADM_MGR,
  // own requests, and those of the kinds one may decide
  'GET /approval/list': EVERYBODY,
  'GET /approval/detail': EVERYBODY,
  'POST /approval/decide': EVERYBODY,
  'POST /approval/withdraw': EVERYBODY,
  'GET /review/list': REVIEW_VIEW,
  'GET /review/detail': REVIEW_VIEW,
  'GET /review/reasons': REVIEW_VIEW,
  'GET /review/colleagues': REVIEWERS_AND_LEADERS,
  'GET /review/reviewers': REVIEW_VIEW,
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
  'GET /collection/case/list': [...DESK_VIEW, 'quality_inspector'],
  'GET /collection/desk/figures': DESK_VIEW,
  'GET /collection/case/detail': [...DESK_VIEW, 'quality_inspector'],
  'GET /collection/case/contacts': DESK,
  'POST /collection/case/call': DESK,
  'POST /collection/case/follow': DESK,
  'GET /collection/case/follow/list': [...DESK_VIEW, 'quality_inspector'],
  'POST /collection/case/end': ADM_MGR_ISV,
  'GET /collection/performance/list': [...DESK, 'director', 'manager'],
  'GET /collection/agency/detail': [
    'administrator',
    'director',
    'manager',
    'internal_supervisor',
    'external_supervisor',
  ],
  'GET /collection/agency/lines': [
    'administrator',
    'director',
    'manager',
    'internal_supervisor',
    'external_supervisor',
  ],
  'GET /collection/recycle/list': [...DESK, 'director', 'manager'],
  'GET /collection/decrease/list': [...DESK, 'director', 'manager'],
  'POST /collection/case/reveal': ADM_MGR_ISV,
  'GET /collection/stop/list': [
    'administrator',
    'director',
    'manager',
    'customer_service',
    'collection_specialist',
    'team_leader',
    'internal_supervisor',
    'external_supervisor',
  ],
  'GET /collection/stop/file': [...DESK_VIEW, 'quality_inspector'],
  'POST /collection/stop/add': [...DESK, 'manager', 'customer_service'],
  'POST /collection/stop/decide': [
    'administrator',
    'director',
    'manager',
    'customer_service',
    'team_leader',
    'internal_supervisor',
    'external_supervisor',
  ],
  'POST /collection/stop/resume': [
    'administrator',
    'manager',
    'team_leader',
    'internal_supervisor',
    'external_supervisor',
  ],
  'GET /userInfo/list': CUSTOMER_VIEW,
  'GET /userInfo/options': CUSTOMER_VIEW,
  'GET /userInfo/blacklist/list': CUSTOMER_VIEW,
  'POST /userInfo/blacklist/add': ADM_MGR,
  'POST /userInfo/blacklist/remove': ADM_MGR,
  'POST /userInfo/detail': EVERYBODY,
  'POST /userInfo/editContact': ['administrator', 'manager', 'customer_service'],
  'POST /userInfo/reveal': ['administrator', 'manager', 'customer_service', 'reviewer'],
  'GET /userInfo/photo': ['administrator', 'manager', 'reviewer', 'quality_inspector'],
  'GET /collection/allocation/desk': DUTY_LEADERS,
  'POST /collection/allocation/preview': ADM_MGR_ISV,
  'POST /collection/case/autoAllocate': ADM_MGR_ISV,
  'GET /collection/allocation/list': ADM_MGR_ISV,
  'POST /collection/allocation/state': ADM_MGR_ISV,
  'POST /collection/allocation/undo': ADM_MGR_ISV,
  'POST /collection/case/allocate': DUTY_LEADERS,
  'POST /collection/case/recall': DUTY_LEADERS,
  'GET /collection/change/list': SETUP_VIEW,
  'GET /collection/change/log': SETUP_VIEW,
  'GET /collection/change/ends': DUTY_LEADERS,
  'GET /collection/change/weigh': DUTY_LEADERS,
  'POST /collection/change/launch': DUTY_LEADERS,
  'POST /collection/change/decide': ADM_MGR_ISV,
  'GET /collection/config/get': ['administrator', 'director', 'manager', 'internal_supervisor'],
  'POST /collection/config/save': ADM_MGR,
  'GET /collection/stage/list': [...DESK_VIEW, 'quality_inspector'],
  'POST /collection/stage/add': ADM_MGR,
  'POST /collection/stage/edit': ADM_MGR,
  'GET /collection/tree': [...DESK_VIEW, 'quality_inspector'],
  'GET /collection/officer/options': ADM_MGR,
  'GET /collection/agency/list': UNITS_VIEW,
  'POST /collection/agency/add': ADM_MGR,
  'POST /collection/agency/edit': ADM_MGR,
  'POST /collection/agency/weight': ADM_MGR,
  'GET /collection/department/list': UNITS_VIEW,
  'GET /collection/group/list': UNITS_VIEW,
  'POST /collection/department/add': ADM_MGR,
  'POST /collection/group/add': ADM_MGR,
  'POST /collection/department/edit': ADM_MGR,
  'POST /collection/group/edit': ADM_MGR,
  'GET /collection/person/list': SETUP_VIEW,
  'POST /collection/person/add': PERSON_LEADERS,
  'POST /collection/person/edit': PERSON_LEADERS,
  'POST /collection/person/allocation': DUTY_LEADERS,
  'POST /collection/person/status': PERSON_LEADERS,
  'GET /collection/schedule/list': COLLECTION_VIEW,
  'POST /collection/schedule/save': DUTY_LEADERS,
  'POST /collection/schedule/copy': DUTY_LEADERS,
  'POST /collection/schedule/import': PERSON_LEADERS,
  'GET /export/template/schedule': PERSON_LEADERS,
  'GET /collection/board': COLLECTION_VIEW,
  'POST /board/pair/start': 'none',
  'POST /board/pair/poll': 'none',
  'POST /board/pair/approve': PERSON_LEADERS,
  'GET /board/list': PERSON_LEADERS,
  'POST /board/edit': PERSON_LEADERS,
  'POST /board/revoke': PERSON_LEADERS,
  'POST /board/ack': DUTY_LEADERS,
  'POST /board/thresholds': PERSON_LEADERS,
  'GET /feedback/selectFeedbackList': [...TICKET_DESK, 'director'],
  'GET /feedback/detail': [...TICKET_DESK, 'director'],
  'GET /feedback/processingProgressView': [...TICKET_DESK, 'director'],
  'GET /feedback/file': [...TICKET_DESK, 'director'],
  'GET /feedback/feedbackStatement': [...TICKET_DESK, 'director'],
  'GET /feedback/typeList': EVERYBODY,
  'GET /feedback/selectDistributionSysUser': TICKET_DESK,
  'POST /feedback/add': [...DESK, 'manager', 'customer_service'],
  'POST /feedback/claim': TICKET_DESK,
  'POST /feedback/assign': ADM_MGR_ISV,
  'POST /feedback/renew': TICKET_DESK,
  'POST /feedback/release': TICKET_DESK,
  'POST /feedback/reply': TICKET_DESK,
  'POST /feedback/resolve': TICKET_DESK,
  'POST /feedback/reopen': ADM_MGR_ISV,
  'POST /feedback/toSuperior': TICKET_DESK,
  'POST /feedback/distributionStatus': TICKET_DESK,
  'POST /feedback/feedbackTransfer': TICKET_DESK,
  'POST /feedback/transferDecide': TICKET_DESK,
  'POST /inbound/application': 'machine',
  'POST /inbound/machineReview': 'machine',
  'POST /inbound/resubmit': 'machine',
  'POST /inbound/payout': 'machine',
  'POST /inbound/payment': 'machine',
  'POST /inbound/proof': 'machine',
  'POST /inbound/cancel': 'machine',
  'POST /inbound/feedback': 'machine',
  'POST /inbound/evaluate': 'machine',
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
      const answer = await person.send(e, sample(e))
      // a file carries no envelope
      const { code } = String(answer.headers['content-type']).startsWith('application/json')
        ? answer.json<{ code: number }>()
        : { code: answer.statusCode }
      if ((code !== 403) !== door.includes(mark)) wrong.push(`${nameOf(e)} ${mark}: ${code}`)
      if (code === 500 || code === 401) wrong.push(`${nameOf(e)} ${mark}: ${code}`)
    }
  }
  expect(wrong).toEqual([])
})

test('no route is open without a session, with a made-up or expired token, or by a cookie alone', async () => {
  const wrong: string[] = []
  const tries: Record<string, string>[] = [
    {},
    { authorization: 'x'.repeat(43) },
    { authorization: 'y'.repeat(500) },
    { cookie: `Admin-Token=${people.get('administrator')?.token ?? ''}` },
  ]
  for (const e of floor.manage.endpoints) {
    if (DOORS[nameOf(e)] === 'none') continue
    for (const headers of tries) {
      const { code } = (await request(floor.manage.app, e, sample(e), headers)).json<{
        code: number
      }>()
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
    if (
      !Array.isArray(DOORS[nameOf(e)]) ||
      e.method === 'GET' ||
      Object.keys(e.input.properties).length === 0
    )
      continue
    // a query also carries cache-busting parameters: what it does not name never reaches the command
    if (placeOf(e) === 'query') continue
    for (const extra of ['role', 'userId2', 'agencyId', 'status', 'token2', 'isAdmin']) {
      if (Object.hasOwn(e.input.properties, extra)) continue
      const answer = (await administrator.send(e, { ...sample(e), [extra]: 'x' })).json<{
        code: number
        data: { fields?: Record<string, string> }
      }>()
      expect({ path: e.path, code: answer.code, field: answer.data.fields?.[extra] }).toEqual({
        path: e.path,
        code: 422,
        field: 'unknown',
      })
    }
  }
})

/** An input that opens nothing: ids of no row. */
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
  }
  return Object.fromEntries(
    Object.keys(e.input.properties).flatMap((name) =>
      e.method === 'GET' && name in known ? [[name, known[name]]] : [],
    ),
  )
}
