/** The workspace reaches the same state for every order of responses, events and lease expiry. */
import fc from 'fast-check'
import { holderNameOf, leaseOf } from '#client/live/lease-knowledge.ts'
import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import {
  type DeskEvent,
  type DeskPerson,
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
  type: 'MESSAGE',
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

/** Each case: the messages and the expected state. `first` is sent before the permuted part. */
const CASES: {
  name: string
  person?: DeskPerson
  first?: DeskEvent[]
  messages: DeskEvent[]
  place: string
  holder?: string | null
}[] = [
  {
    name: 'a user who is not the holder can only view',
    messages: [
      row(3, 'underReview', 1, 'ben', 10),
      { type: 'MESSAGE', version: 2, token: 1, holderId: 'ben', state: 'toAudit' },
    ],
    place: 'viewing',
    holder: 'ben',
  },
  {
    name: 'an own claim waits to be opened',
    messages: [row(2, 'toAudit', 1, 'asha', 10)],
    place: 'opening',
  },
  {
    name: 'the response to open and its event agree',
    messages: [
      row(2, 'toAudit', 1, 'asha', 10),
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'MESSAGE', version: 3, state: 'underReview', finished: false },
    ],
    place: 'deciding',
  },
  {
    name: 'a colleague takes over before the response to open arrives',
    messages: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'MESSAGE', version: 4, state: 'toAudit', token: 2 },
      {
        type: 'MESSAGE',
        version: 4,
        state: 'toAudit',
        token: 2,
        holderId: 'lead',
        holderName: 'lead',
        leaseUntil: at(12),
      },
      { type: 'MESSAGE', version: 4, state: 'toAudit' },
    ],
    place: 'lost',
    holder: 'lead',
  },
  {
    name: 'the lease expires, the item is freed and a colleague claims it',
    messages: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'LEASE_OVER', until: at(10) },
      { type: 'MESSAGE', version: 4, state: 'unclaimed', token: 2, holderId: null },
      row(5, 'toAudit', 3, 'ben', 20),
      { type: 'RENEW_REFUSED', token: 1, holderName: null },
    ],
    place: 'lost',
    holder: 'ben',
  },
  {
    name: 'a late renewal overrides the expiry',
    messages: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'LEASE_OVER', until: at(10) },
      { type: 'RENEWED', token: 1, leaseUntil: at(15) },
    ],
    place: 'deciding',
  },
  {
    name: 'a renewal of an older claim does not extend the current one',
    messages: [
      row(3, 'underReview', 3, 'asha', 10),
      { type: 'RENEWED', token: 1, leaseUntil: at(15) },
      { type: 'LEASE_OVER', until: at(10) },
    ],
    place: 'lost',
  },
  {
    name: 'the server refuses the heartbeat',
    messages: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'RENEW_REFUSED', token: 1, holderName: 'ben' },
      { type: 'RENEWED', token: 1, leaseUntil: at(9) },
    ],
    place: 'lost',
  },
  {
    name: 'lost and claimed again in another tab',
    messages: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'RENEW_REFUSED', token: 1, holderName: null },
      row(4, 'unclaimed', 2, null),
      row(5, 'toAudit', 3, 'asha', 20),
      row(6, 'underReview', 3, 'asha', 20),
    ],
    place: 'deciding',
  },
  {
    name: 'a decision gets its response, its event and its timeout at once',
    first: [row(3, 'underReview', 1, 'asha', 10), { type: 'SUBMIT', key: 'k' }],
    messages: [
      { type: 'UNANSWERED', key: 'k' },
      { type: 'SUBMITTED', key: 'k' },
      row(4, 'audited', 1, 'asha'),
      { type: 'MESSAGE', version: 4, state: 'audited', finished: false },
      { type: 'LEASE_OVER', until: at(10) },
    ],
    place: 'gone',
  },
  {
    name: 'a decision without a response may be sent again',
    first: [row(3, 'underReview', 1, 'asha', 10), { type: 'SUBMIT', key: 'k' }],
    messages: [{ type: 'UNANSWERED', key: 'k' }, row(3, 'underReview', 1, 'asha', 10)],
    place: 'deciding',
  },
  {
    name: 'a decision is refused because a leader took over first',
    first: [row(3, 'underReview', 1, 'asha', 10), { type: 'SUBMIT', key: 'k' }],
    messages: [
      { type: 'REFUSED', key: 'k' },
      row(4, 'toAudit', 2, 'lead', 20),
      { type: 'RENEW_REFUSED', token: 1, holderName: 'lead' },
      { type: 'LEASE_OVER', until: at(10) },
    ],
    place: 'lost',
    holder: 'lead',
  },
  {
    name: 'a decision without a response yet',
    first: [row(3, 'underReview', 1, 'asha', 10), { type: 'SUBMIT', key: 'k' }],
    messages: [
      { type: 'RENEWED', token: 1, leaseUntil: at(14) },
      { type: 'MESSAGE', version: 3, state: 'underReview' },
    ],
    place: 'submitting',
  },
  {
    name: 'the order is cancelled while the holder decides',
    messages: [
      row(3, 'underReview', 1, 'asha', 10),
      { type: 'MESSAGE', version: 0, cancelled: true },
      { type: 'MESSAGE', version: 4, state: 'failed', finished: true },
    ],
    place: 'gone',
  },
  {
    name: 'data was requested from the customer',
    messages: [row(3, 'underReview', 1, 'asha', 10), row(4, 'dataModifiable', 1, 'asha')],
    place: 'gone',
  },
  {
    name: 'the customer sent the data',
    messages: [
      row(3, 'underReview', 1, 'asha', 10),
      row(4, 'dataModifiable', 1, 'asha'),
      row(5, 'toAudit', 2, 'asha', 30),
    ],
    place: 'opening',
  },
  {
    name: 'a leader decides an escalated review',
    person: LEADER,
    messages: [row(4, 'manualCheck', 2, 'asha')],
    place: 'deciding',
  },
  {
    name: 'two leaders decide at once',
    person: LEADER,
    messages: [
      row(4, 'manualCheck', 2, 'asha'),
      { type: 'MESSAGE', version: 5, state: 'audited', finished: false },
    ],
    place: 'gone',
  },
  {
    name: 'the first reviewer cannot decide the second level',
    person: { userId: 'asha', mayCheck: true },
    messages: [row(4, 'manualCheck', 2, 'ben')],
    place: 'viewing',
  },
]

test.each(CASES)(
  '$name, in every order',
  ({ person = ASHA, first = [], messages, place, holder }) => {
    for (const order of permutations(messages)) {
      const end = runs(person, [...first, ...order])
      expect(end.place).toBe(place)
      expect(end.derived).toBe(place)
      if (holder !== undefined) expect(end.holder).toBe(holder)
    }
  },
)

test('every permutation of a random history reaches the same state as the original order', () => {
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
        const messages = history(steps)
        const inOrder = runs(ASHA, messages)
        const mixed = [...messages, ...messages]
          .map((event) => ({ event, place: luck.next().value as number }))
          .toSorted((a, b) => a.place - b.place)
          .map((one) => one.event)
        expect(runs(ASHA, mixed)).toEqual(inOrder)
      },
    ),
    { numRuns: 5_000 },
  )
})

/** Simulates the server's messages about one review; impossible steps are skipped. */
function history(steps: readonly string[]): DeskEvent[] {
  const messages: DeskEvent[] = [row(1, 'unclaimed', 0, null)]
  let [version, token, minute] = [1, 0, 10]
  let state: 'unclaimed' | 'toAudit' | 'underReview' | 'manualCheck' | 'audited' = 'unclaimed'
  let holder: string | null = null
  const emit = () => {
    version += 1
    messages.push(
      row(
        version,
        state,
        token,
        holder,
        state === 'toAudit' || state === 'underReview' ? minute : null,
      ),
      { type: 'MESSAGE', version, state },
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
      if (step === 'renew' && held())
        messages.push({ type: 'RENEWED', token, leaseUntil: at(minute) })
      if (step === 'clock') messages.push({ type: 'LEASE_OVER', until: at(minute - 5) })
      if (step === 'refuse' && token > 0 && !held())
        messages.push({ type: 'RENEW_REFUSED', token: token - 1, holderName: null })
      continue
    }
    emit()
  }
  return messages
}
