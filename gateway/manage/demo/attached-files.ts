/**
 * What came with tickets and wishes to stop collection in the demo: the paper follows what was
 * said. Drawn, as the receipts of proofs are.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { StopReason } from '#shared/collection/collection-sets.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { bulkInsert, type Row } from './bulk-insert.ts'
import { HOUR, MINUTE } from './life.ts'
import { drawAccount, drawAppFault, drawCalls, drawLetter, drawReceipt } from './papers.ts'
import { type Rng, rngOf } from './random.ts'

interface Sent {
  /** What the names of its files begin with. */
  name: string
  at: number
  owner: string | null
}
type Draw = (at: number, rng: Rng) => string[]

const rupees = (rng: Rng): number => rng.int(12, 90) * 100_00
const receipt = (at: number, rng: Rng, amount: number): string =>
  drawReceipt({
    amount,
    utr: `${rng.int(500_000, 599_999)}${rng.int(100_000, 999_999)}`,
    paid_at: at - rng.int(30, 1_200) * MINUTE,
    channel: 1,
  })
const account = (at: number, rng: Rng, first: string, amount: number): string =>
  drawAccount(at, [
    [first, amount],
    ['Electricity', -rng.int(600, 2_400) * 100],
    ['Salary', rng.int(180, 420) * 100_00],
    ['Grocery', -rng.int(200, 1_900) * 100],
  ])

/** By what the ticket says; the first that fits. */
const OF_TICKETS: readonly (readonly [RegExp, Draw])[] = [
  [
    /paid twice/,
    (at, rng) =>
      [rupees(rng)].flatMap((amount) => [receipt(at, rng, amount), receipt(at, rng, amount)]),
  ],
  [/paid by UPI|receipt shows/, (at, rng) => [receipt(at, rng, rupees(rng))]],
  [/sent back/, (at, rng) => [account(at, rng, 'Transfer returned', -rupees(rng))]],
  [
    /has not come|smaller than/,
    (at, rng) => [account(at, rng, 'Mobile recharge', -rng.int(199, 599) * 100)],
  ],
  [/link says expired/, (at) => [drawAppFault(at, 'This link has expired')]],
  [
    /app closes|upload my photo|log in every day|repayment screen/,
    (at) => [drawAppFault(at, 'Please try again later')],
  ],
  [
    /called three times|calls at noon/,
    (at) => [drawCalls([at - 12 * MINUTE, at - 2 * HOUR, at - 4.2 * HOUR])],
  ],
  [
    /charges are higher/,
    (at, rng) => [
      drawLetter(at - 90 * HOUR, 'Loan agreement', 'Schedule of charges', [
        'Processing fee 2 %',
        'Interest as agreed',
        `Late fee up to ₹${rng.int(2, 6)}00`,
      ]),
    ],
  ],
]

const OF_STOPS: Partial<Record<StopReason, Draw>> = {
  legal: (at) => [
    drawLetter(at, 'District court', 'Notice to appear', [
      'In the matter of the account named',
      'below the parties are called to',
      'appear with their papers.',
    ]),
  ],
  bereavement: (at) => [
    drawLetter(at, 'Municipal office', 'Certificate of death', [
      'Of a close relative of the holder',
      'of the account, entered in the',
      'register of this ward.',
    ]),
  ],
  hardship: (at, rng) =>
    [
      drawLetter(at, 'City hospital', 'Bill of a stay', [
        'Ward, theatre and medicine',
        `Paid in part, open ₹${rng.int(18, 96)},000`,
      ]),
      drawLetter(at, 'Employer', 'End of employment', ['The position ends with this month.']),
    ].slice(0, rng.int(1, 2)),
  dispute: (at) => [
    drawLetter(at, 'To the lender', 'I do not agree', [
      'The amount of my loan is not',
      'what I signed. Please check it',
      'before you call me again.',
    ]),
  ],
}

export async function seedAttachedFiles(trx: Trx, seed: number): Promise<void> {
  const { rows: tickets } = await sql<{
    id: string
    step_id: string
    content: string
    customer_id: string
    at: string
  }>`
    select t.id, s.id as step_id, t.content, t.customer_id, t.created_at as at from feedback t
      join feedback_step s on s.feedback_id = t.id and s.kind = 'created' order by t.id`.execute(
    trx,
  )
  const { rows: stops } = await sql<{
    id: string
    reason: StopReason
    owner: string | null
    at: string
  }>`
    select s.id, s.reason, s.applied_by as owner, s.applied_at as at from stop_collection s
      where s.ticket_id is null and s.proof_id is null order by s.id`.execute(trx)
  const files: Row[] = []
  const keep = (
    { name, at, owner }: Sent,
    papers: readonly string[],
  ): { n: number; file_id: string }[] =>
    papers.map((paper, i) => {
      const content = Buffer.from(paper)
      const id = `F${name}-${i + 1}`
      files.push({
        id,
        purpose: 'synthetic',
        name: `${name}-${i + 1}.svg`,
        mime: 'image/svg+xml',
        size: content.length,
        sha256: createHash('sha256').update(content).digest(),
        content,
        owner_id: owner,
        created_at: at,
      })
      return { n: i + 1, file_id: id }
    })
  const ofTickets = everySecond(
    tickets,
    ({ content }) => OF_TICKETS.find(([words]) => words.test(content))?.[1],
  ).flatMap(([{ id, step_id, customer_id, at }, draw]) => {
    const sent = Date.parse(at)
    return keep(
      { name: `${id}-${step_id}`, at: sent, owner: customer_id },
      draw(sent, rngOf(seed, 'attached', id)),
    ).map((file) => ({ ...file, step_id }))
  })
  const ofStops = everySecond(stops, ({ reason }) => OF_STOPS[reason]).flatMap(
    ([{ id, owner, at }, draw]) => {
      const sent = Date.parse(at)
      return keep(
        { name: id, at: sent, owner },
        draw(sent - 20 * HOUR, rngOf(seed, 'attached', id)),
      ).map((file) => ({ ...file, stop_id: id }))
    },
  )
  await bulkInsert(
    trx,
    'file_object',
    {
      id: 'text',
      purpose: 'text',
      name: 'text',
      mime: 'text',
      size: 'int',
      sha256: 'bytea',
      content: 'bytea',
      owner_id: 'text',
      created_at: 'timestamptz',
    },
    files,
  )
  await bulkInsert(
    trx,
    'feedback_file',
    { step_id: 'bigint', n: 'int', file_id: 'text' },
    ofTickets,
  )
  await bulkInsert(trx, 'stop_file', { stop_id: 'text', n: 'int', file_id: 'text' }, ofStops)
}

/** Of the things a paper fits, the first, the third, …: some came without one. */
function everySecond<Thing>(
  things: readonly Thing[],
  drawOf: (thing: Thing) => Draw | undefined,
): (readonly [Thing, Draw])[] {
  return things
    .flatMap((thing) => [drawOf(thing)].flatMap((draw) => (draw ? [[thing, draw] as const] : [])))
    .filter((_, i) => i % 2 === 0)
}
