/**
 * Third parties of the demo's apps. All are sandboxes: no call leaves the console. Two of a kind
 * share the work or stand in for each other, so that the screen lives.
 */
import { sql } from 'kysely'
import type { VendorKind } from '#shared/vendors/vendor-kinds.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { VALUES_PLACE } from '#gateway/manage/vendors/routing/configurations.ts'

interface Party {
  id: string
  code: string
  name: string
  kind: VendorKind
  /** Of RupeeNest and of SaralCash; null: does not serve it. */
  serves: readonly [Place | null, Place | null]
  /** Calls of the last hour, how many in a hundred failed, and how long they take. */
  calls?: { count: number; failed: number; ms: number }
}
interface Place {
  priority: number
  share: number
}

const only = { priority: 1, share: 0 }
const PARTIES: readonly Party[] = [
  {
    id: 'TP001',
    code: 'nimbuspay',
    name: 'NimbusPay',
    kind: 'payout',
    serves: [
      { priority: 1, share: 70 },
      { priority: 2, share: 0 },
    ],
    calls: { count: 84, failed: 1, ms: 620 },
  },
  {
    id: 'TP002',
    code: 'rupeerail',
    name: 'RupeeRail',
    kind: 'payout',
    serves: [{ priority: 1, share: 30 }, only],
    calls: { count: 47, failed: 6, ms: 1_340 },
  },
  {
    id: 'TP003',
    code: 'textbridge',
    name: 'TextBridge',
    kind: 'sms',
    serves: [only, only],
    calls: { count: 210, failed: 0, ms: 180 },
  },
  {
    id: 'TP004',
    code: 'pingline',
    name: 'PingLine',
    kind: 'sms',
    serves: [{ priority: 2, share: 0 }, null],
    calls: { count: 12, failed: 17, ms: 900 },
  },
  {
    id: 'TP005',
    code: 'chatlane',
    name: 'ChatLane',
    kind: 'whatsapp',
    serves: [only, only],
    calls: { count: 66, failed: 3, ms: 410 },
  },
  {
    id: 'TP006',
    code: 'callpilot',
    name: 'CallPilot',
    kind: 'aiCall',
    serves: [only, only],
    calls: { count: 38, failed: 2, ms: 350 },
  },
  {
    id: 'TP007',
    code: 'voxline',
    name: 'VoxLine',
    kind: 'aiCall',
    serves: [{ priority: 2, share: 0 }, null],
  },
  {
    id: 'TP008',
    code: 'linkpay',
    name: 'LinkPay',
    kind: 'collect',
    serves: [only, only],
    calls: { count: 31, failed: 3, ms: 540 },
  },
  {
    id: 'TP009',
    code: 'panproof',
    name: 'PanProof',
    kind: 'kyc',
    serves: [only, only],
    calls: { count: 26, failed: 0, ms: 730 },
  },
  {
    id: 'TP010',
    code: 'credlens',
    name: 'CredLens',
    kind: 'bureau',
    serves: [only, only],
    calls: { count: 26, failed: 4, ms: 1_180 },
  },
  {
    id: 'TP011',
    code: 'ringdesk',
    name: 'RingDesk',
    kind: 'voice',
    // collectors of the other app dial by hand
    serves: [only, null],
    calls: { count: 58, failed: 2, ms: 260 },
  },
  {
    // documents of RupeeNest are in the database
    id: 'TP012',
    code: 'vaultbox',
    name: 'VaultBox',
    kind: 'storage',
    serves: [null, only],
  },
]
const APPS = ['AP001', 'AP002'] as const

export async function seedThirdParties(trx: Trx, { secrets }: AppContext): Promise<void> {
  const rows = PARTIES.map(({ id, code, name, kind, calls }) => {
    const cfg = id.replace('TP', 'TC')
    return {
      id,
      code,
      name,
      kind,
      cfg,
      url: `https://sandbox.example.com/${code}`,
      values: secrets.seal(VALUES_PLACE, cfg, '{}').toString('hex'),
      count: calls?.count ?? 0,
      failed: calls?.failed ?? 0,
      ms: calls?.ms ?? 0,
    }
  })
  const services = PARTIES.flatMap(({ id, kind, serves }) =>
    serves.flatMap((place, n) =>
      place === null
        ? []
        : [{ vendor: id, cfg: id.replace('TP', 'TC'), kind, app: APPS[n], ...place }],
    ),
  )
  await sql`
    with d as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (id text, code text, name text,
        kind text, cfg text, url text, "values" text)
    ), parties as (
      insert into tp_vendor (id, code, name, kind, site, sandbox)
      select d.id, d.code, d.name, d.kind, 'https://www.example.com/' || d.code, true from d returning id
    )
    insert into tp_cfg (id, vendor_id, name, base_url, values_enc)
    select d.cfg, d.id, 'Sandbox', d.url, decode(d."values", 'hex')
    from d where exists (select 1 from parties p where p.id = d.id)`.execute(trx)
  await sql`
    insert into tp_app_cfg (app_id, vendor_id, cfg_id, kind, priority, share)
    select d.app, d.vendor, d.cfg, d.kind, d.priority, d.share
    from jsonb_to_recordset(${JSON.stringify(services)}::jsonb) as d (app text, vendor text, cfg text,
      kind text, priority int, share int)`.execute(trx)
  // spread over the last hour; which of them failed follows from their number
  await sql`
    insert into tp_attempt (cfg_id, outcome, ms, error, at)
    select d.cfg, case when f.failed then 'failed' else 'ok' end,
      (d.ms * (0.6 + (n * 37 % 90) / 100.0))::int, case when f.failed then 'http503' end,
      clock_timestamp() - make_interval(secs => 3500.0 * (d.count - n) / d.count)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (cfg text, count int, failed int, ms int)
    cross join lateral generate_series(1, d.count) as n
    cross join lateral (select n * 61 % 100 < d.failed as failed) f
    order by d.cfg, n`.execute(trx)
  await sql`
    insert into tp_health (cfg_id, last_error, last_error_at)
    select c.id, a.error, a.at from tp_cfg c
    left join lateral (select a.error, a.at from tp_attempt a where a.cfg_id = c.id
      and a.error is not null order by a.at desc limit 1) a on true`.execute(trx)
}
