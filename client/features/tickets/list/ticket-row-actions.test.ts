import { expect, test } from 'vitest'
import { AGENT_CODES, ASHA, ticketRow, viewer } from '../testing/rows.ts'
import { rowActions } from './ticket-row-actions.ts'

const asked: string[] = []
const idsFor = (codes: readonly string[], queue: 'operation' | 'loaned' = 'operation') =>
  rowActions(ticketRow({ ...ASHA, queue }), {
    viewer: viewer('asha', codes),
    offline: null,
    t: (key) => key,
    open: () => asked.push('open'),
    page: () => asked.push('page'),
    claim: () => asked.push('claim'),
    reveal: () => asked.push('reveal'),
    form: ({ kind }) => asked.push(kind),
  })

test("the phone of a row can be revealed with the code of the ticket's queue", () => {
  expect(idsFor(AGENT_CODES).map(({ id }) => id)).toContain('reveal')
  expect(idsFor(['reply', 'resolve']).map(({ id }) => id)).not.toContain('reveal')
  // codes of the other queue do not count
  expect(idsFor(AGENT_CODES, 'loaned').map(({ id }) => id)).not.toContain('reveal')
  idsFor(AGENT_CODES)
    .find(({ id }) => id === 'reveal')
    ?.onClick()
  expect(asked).toEqual(['reveal'])
})
