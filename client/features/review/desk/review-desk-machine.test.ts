/** The desk reaches the same state whatever the order in which answers, events and the clock speak (trust.md B7). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import {
  type DeskEvent,
  type DeskPerson,
  holderNameOf,
  leaseOf,
  placeOf,
  reviewDeskMachine,
} from './review-desk-machine.ts'

const ASHA: DeskPerson = { userId: 'asha', mayCheck: false }
const LEADER: DeskPerson = { userId: 'lead', mayCheck: true }
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 6, minutes)).toISOString()

const row = (
  version: number,
  state: 'unclaimed' | 'toAudit' | 'underReview' | 'manualCheck' | 'audited' | 'dataModifiable',
  token: number,
  holderId: string | null,
  until: number | null = null,
): DeskEvent => ({
  type: 'NEWS',
  version,
  state,
  token,
  holderId,
  holderName: holderId,
  leaseUntil: until === null ? null : at(until),
  firstReviewerId: 'asha',
  finished: false,
})

function runs(person: DeskPerson, events: readonly DeskEvent[]) {
  const actor = createActor(reviewDeskMachine, { input: person }).start()
  for (const event of events) actor.send(event)
  const snapshot = actor.getSnapshot()
  return {
    place: snapshot.value,
    holder: holderNameOf(snapshot.context),
    lease: leaseOf(snapshot.context),
    derived: placeOf(snapshot.context),
  }
}

function permutations<T>(list: readonly T[]): T[][] {
  return list.length < 2
    ? [[...list]]
    : list.flatMap((one, i) => permutations(list.toSpliced(i, 1)).map((rest) => [one, ...rest]))
}

/** Each case: what is heard, where it ends. Sent before the permuted part: `first`. */
const CASES: {
  name: string
  person?: DeskPerson
  first?: DeskEvent[]
  heard: DeskEvent[]
  place: string
  holder?: string | null
}[] = [
  {
    name: 'a stranger only looks on',
    heard: [
      row(3, 'underReview', 1, 'ben', 10),
      { type: 'NEWS', version: 2, token: 1, holderId: 'ben', state: 'toAudit' },
    ],
    place: 'viewing',
    holder: 'ben',
  },
  {
    name: 'his claim waits to be opened',
    heard: [row(2, 'toAudit', 1, 'asha', 10)],
    place: 'opening',
  },
  {
    name: 'the answer to open and its event agree',
    heard: [
      row(2, 'toAudit', 1, 'asha', 10),
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'NEWS', version: 3, state: 'underReview', finished: false },
    ],
    place: 'deciding',
  },
  {
    name: 'a colleague takes over while the answer to open is late',
    heard: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'NEWS', version: 4, state: 'toAudit', token: 2 },
      {
        type: 'NEWS',
        version: 4,
        state: 'toAudit',
        token: 2,
        holderId: 'lead',
        holderName: 'lead',
        leaseUntil: at(12),
      },
      { type: 'NEWS', version: 4, state: 'toAudit' },
    ],
    place: 'lost',
    holder: 'lead',
  },
  {
    name: 'the lease runs out, the item is freed and a colleague claims it',
    heard: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'LEASE_OVER', until: at(10) },
      { type: 'NEWS', version: 4, state: 'unclaimed', token: 2, holderId: null },
      row(5, 'toAudit', 3, 'ben', 20),
      { type: 'RENEW_REFUSED', token: 1, holderName: null },
    ],
    place: 'lost',
    holder: 'ben',
  },
  {
    name: 'a late renewal beats the clock',
    heard: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'LEASE_OVER', until: at(10) },
      { type: 'RENEWED', token: 1, leaseUntil: at(15) },
    ],
    place: 'deciding',
  },
  {
    name: 'a renewal of an older claim saves nothing',
    heard: [
      row(3, 'underReview', 3, 'asha', 10),
      { type: 'RENEWED', token: 1, leaseUntil: at(15) },
      { type: 'LEASE_OVER', until: at(10) },
    ],
    place: 'lost',
  },
  {
    name: 'the server refuses the heartbeat',
    heard: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'RENEW_REFUSED', token: 1, holderName: 'ben' },
      { type: 'RENEWED', token: 1, leaseUntil: at(9) },
    ],
    place: 'lost',
  },
  {
    name: 'lost and claimed again in another tab',
    heard: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'RENEW_REFUSED', token: 1, holderName: null },
      row(4, 'unclaimed', 2, null),
      row(5, 'toAudit', 3, 'asha', 20),
      row(6, 'underReview', 3, 'asha', 20),
    ],
    place: 'deciding',
  },
  {
    name: 'a decision is answered, told and timed out at once',
    first: [row(3, 'underReview', 1, 'asha', 10), { type: 'SUBMIT', key: 'k' }],
    heard: [
      { type: 'UNANSWERED', key: 'k' },
      { type: 'SUBMITTED', key: 'k' },
      row(4, 'audited', 1, 'asha'),
      { type: 'NEWS', version: 4, state: 'audited', finished: false },
      { type: 'LEASE_OVER', until: at(10) },
    ],
    place: 'gone',
  },
  {
    name: 'a decision that got no answer may be sent again',
    first: [row(3, 'underReview', 1, 'asha', 10), { type: 'SUBMIT', key: 'k' }],
    heard: [{ type: 'UNANSWERED', key: 'k' }, row(3, 'underReview', 1, 'asha', 10)],
    place: 'deciding',
  },
  {
    name: 'a decision is refused because a leader was faster',
    first: [row(3, 'underReview', 1, 'asha', 10), { type: 'SUBMIT', key: 'k' }],
    heard: [
      { type: 'REFUSED', key: 'k' },
      row(4, 'toAudit', 2, 'lead', 20),
      { type: 'RENEW_REFUSED', token: 1, holderName: 'lead' },
      { type: 'LEASE_OVER', until: at(10) },
    ],
    place: 'lost',
    holder: 'lead',
  },
  {
    name: 'a decision still under way',
    first: [row(3, 'underReview', 1, 'asha', 10), { type: 'SUBMIT', key: 'k' }],
    heard: [
      { type: 'RENEWED', token: 1, leaseUntil: at(14) },
      { type: 'NEWS', version: 3, state: 'underReview' },
    ],
    place: 'submitting',
  },
  {
    name: 'the order is cancelled under his hands',
    heard: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'NEWS', version: 0, cancelled: true },
      { type: 'NEWS', version: 4, state: 'failed', finished: true },
    ],
    place: 'gone',
  },
  {
    name: 'data was asked of the customer',
    heard: [row(3, 'underReview', 1, 'asha', 10), row(4, 'dataModifiable', 1, 'asha')],
    place: 'gone',
  },
  {
    name: 'the customer has answered',
    heard: [
      row(3, 'underReview', 1, 'asha', 10),
      row(4, 'dataModifiable', 1, 'asha'),
      row(5, 'toAudit', 2, 'asha', 30),
    ],
    place: 'opening',
  },
  {
    name: 'a leader decides what was escalated',
    person: LEADER,
    heard: [row(4, 'manualCheck', 2, 'asha')],
    place: 'deciding',
  },
  {
    name: 'two leaders, one decision',
    person: LEADER,
    heard: [
      row(4, 'manualCheck', 2, 'asha'),
      { type: 'NEWS', version: 5, state: 'audited', finished: false },
    ],
    place: 'gone',
  },
  {
    name: 'the first reviewer does not check himself',
    person: { userId: 'asha', mayCheck: true },
    heard: [row(4, 'manualCheck', 2, 'ben')],
    place: 'viewing',
  },
]

test.each(CASES)('$name, in every order', ({ person = ASHA, first = [], heard, place, holder }) => {
  for (const order of permutations(heard)) {
    const end = runs(person, [...first, ...order])
    expect(end.place).toBe(place)
    expect(end.derived).toBe(place)
    if (holder !== undefined) expect(end.holder).toBe(holder)
  }
})

test('every interleaving of a random history ends where the history in order ends', () => {
  const step = fc.constantFrom(
    'claim-asha',
    'claim-ben',
    'release',
    'open',
    'escalate',
    'takeOver',
    'decide',
    'renew',
    'clock',
    'refuse',
  )
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 9 }),
      fc.infiniteStream(fc.nat(1_000)),
      (steps, luck) => {
        const told = history(steps)
        const inOrder = runs(ASHA, told)
        const mixed = [...told, ...told]
          .map((event) => ({ event, place: luck.next().value as number }))
          .sort((a, b) => a.place - b.place)
          .map((one) => one.event)
        expect(runs(ASHA, mixed)).toEqual(inOrder)
      },
    ),
    { numRuns: 5_000 },
  )
})

/** What the server would say about one review while these things happen; what cannot happen is left out. */
function history(steps: readonly string[]): DeskEvent[] {
  const told: DeskEvent[] = [row(1, 'unclaimed', 0, null)]
  let [version, token, minute] = [1, 0, 10]
  let state: 'unclaimed' | 'toAudit' | 'underReview' | 'manualCheck' | 'audited' = 'unclaimed'
  let holder: string | null = null
  const say = () => {
    version += 1
    told.push(
      row(
        version,
        state,
        token,
        holder,
        state === 'toAudit' || state === 'underReview' ? minute : null,
      ),
      { type: 'NEWS', version, state },
    )
  }
  const held = () => state === 'toAudit' || state === 'underReview'
  for (const step of steps) {
    minute += 5
    if (step.startsWith('claim') && state === 'unclaimed')
      [state, holder, token] = ['toAudit', step.slice(6), token + 1]
    else if (step === 'release' && held()) [state, holder, token] = ['unclaimed', null, token + 1]
    else if (step === 'open' && state === 'toAudit') state = 'underReview'
    else if (step === 'escalate' && state === 'underReview')
      [state, token] = ['manualCheck', token + 1]
    else if (step === 'takeOver' && state === 'underReview')
      [state, holder, token] = ['toAudit', 'lead', token + 1]
    else if (step === 'decide' && state === 'underReview') state = 'audited'
    else {
      if (step === 'renew' && held()) told.push({ type: 'RENEWED', token, leaseUntil: at(minute) })
      if (step === 'clock') told.push({ type: 'LEASE_OVER', until: at(minute - 5) })
      if (step === 'refuse' && token > 0 && !held())
        told.push({ type: 'RENEW_REFUSED', token: token - 1, holderName: null })
      continue
    }
    say()
  }
  return told
}
