import { sql } from 'kysely'
import { createLogger } from '#gateway/kernel/logger.ts'
import { migrate } from '#gateway/manage/db/migrate.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { seedDemo } from '#gateway/manage/db/seed/seed-demo.ts'
import { insertSession, newToken } from '#gateway/manage/features/session/session-store.ts'
import { syncRolesAndMenus } from '#gateway/manage/features/session/sync-menus.ts'
import { buildManage } from '#gateway/manage/manage.ts'
import { openDatabase } from '#gateway/manage/db/client.ts'
import { makeManyCases } from '#tests/factories/many-cases.ts'
const url = 'postgres://root@127.0.0.1:5432/scale'
const t0 = performance.now()
const say = (x: string) => console.log(`${((performance.now() - t0) / 1000).toFixed(0)} s ${x}`)
const database = await openDatabase({ url })
await migrate(database)
const manage = await buildManage({ database, masterKey: Buffer.alloc(32, 1), log: createLogger('error'), version: { version: 'bench', commit: 'bench', build: 'bench' }, internalSecret: 'x'.repeat(40), secureCookies: false, production: false, checkAnswers: false }, { kind: 'sandbox' })
await syncRolesAndMenus(database, manage.parts.menus)
const db = database.kysely
const { rows: [{ n }] } = await sql<{ n: number }>`select count(*)::int as n from loan_order`.execute(db) as { rows: [{ n: number }] }
if (n < 1000) { await seedDemo(manage.house, { customers: 8_000 }); say('seeded') }
const want = Number(process.env.CASES ?? 0)
for (let k = 0; k < want; k += 1) { await makeManyCases({ database }, { count: 100_000, stageIds: ['M1', 'S1', 'T1'], prefix: `Z${Date.now().toString(36)}` }); say(`cases ${k + 1}`) }
if (want) { await sql`analyze`.execute(db); say('analyzed') }
for (const t of ['loan_order', 'repay_plan', 'collection_case', 'repay_record', 'customer', 'ledger_entry', 'review']) { const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(t)}`.execute(db); say(`${t} ${rows[0]?.n}`) }
async function tokenOf(account: string): Promise<string> {
  const token = newToken()
  await inTransaction(database, async (trx) => {
    const { rows } = await sql<{ id: string }>`select id from sys_user where account = ${account}`.execute(trx)
    await insertSession(trx, { id: `S${token.slice(0, 12)}`, userId: (rows[0] as { id: string }).id, token, bind: null, ip: null, agent: null, idleMinutes: 600 })
  })
  return token
}
const tokens: Record<string, string> = {}
for (const a of ['manager', 'collector', 'team_leader', 'internal_supervisor', 'administrator', 'customer_service']) tokens[a] = await tokenOf(a)
const paths = process.argv.slice(2)
const list = paths.length ? paths : [
  'manager /order/list', 'manager /order/list?pageNum=100', 'manager /order/list?status=30', 'manager /order/list?name=Aarav', 'manager /order/list?sort=amount:desc',
]
for (const line of list) {
  const [who, path] = line.split(' ') as [string, string]
  const times: number[] = []
  let body = ''
  for (let i = 0; i < 4; i += 1) { const a = performance.now(); const r = await manage.app.inject({ method: 'GET', url: `/api/manage${path}`, headers: { authorization: tokens[who] as string } }); times.push(performance.now() - a); body = r.payload }
  const j = JSON.parse(body) as { code: number; msg: string; data?: { rows?: unknown[]; total?: number } }
  say(`${line.padEnd(80)} ${times.slice(1).map((x) => x.toFixed(0)).join(' ')} ms  ${j.code === 200 ? `${j.data?.rows?.length} of ${j.data?.total}` : j.msg}`)
}
await manage.close(); await database.close(); process.exit(0)
