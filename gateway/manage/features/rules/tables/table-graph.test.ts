/** Tables as graphs of the engine: read back the same, and judged as the console judges them. */
import { ZenEngine } from '@gorules/zen-engine'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operatorsOf, OPERATORS } from '#shared/conditions/catalogue.ts'
import {
  type Cell,
  type DecisionTable,
  inputField,
  OUTPUT_NAMES,
  TABLE_CATALOGUE,
  tableText,
} from '#shared/rules/tables/decision-table.ts'
import { evaluateTable } from '#shared/rules/tables/evaluate-table.ts'
import { tableFaults, tableNotes } from '#shared/rules/tables/table-faults.ts'
import { engineFacts } from '../engine/rule-graph.ts'
import { fromTableContent, fromTableGraph, type TableContent, toTableGraph } from './table-graph.ts'
import { tableRunner } from './tables-in-force.ts'

const FEW = [0, 1, 2, 3, 30, 1_200_000]

function cellOf(name: string): fc.Arbitrary<Cell | null> {
  const field = inputField(name)
  if (field === undefined) throw new Error(name)
  const one =
    field.type === 'yesNo'
      ? fc.boolean()
      : field.type === 'choice'
        ? fc.constantFrom('new', 'old')
        : fc.constantFrom(...FEW)
  const many = one as fc.Arbitrary<number | string>
  const cell = fc.constantFrom(...operatorsOf(field)).chain((operator): fc.Arbitrary<Cell> => {
    switch (OPERATORS[operator]) {
      case 'none':
        return fc.constant({ operator })
      case 'one':
        return one.map((value) => ({ operator, value }))
      case 'many':
        return fc
          .uniqueArray(many, { minLength: 1, maxLength: 3 })
          .map((value) => ({ operator, value }))
      case 'range':
        return fc
          .tuple(fc.constantFrom(...FEW), fc.constantFrom(...FEW))
          .map(([a, b]) => ({ operator, value: a <= b ? [a, b] : [b, a] }))
    }
  })
  return fc.option(cell, { freq: 2 })
}

const table: fc.Arbitrary<DecisionTable> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...TABLE_CATALOGUE.map(({ name }) => name)), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.uniqueArray(fc.constantFrom(...OUTPUT_NAMES), { minLength: 1, maxLength: 3 }),
  )
  .chain(([inputs, outputs]) =>
    fc
      .array(
        fc.record({
          when: fc.tuple(...inputs.map(cellOf)),
          gives: fc.tuple(...outputs.map(() => fc.option(fc.integer({ min: 0, max: 100 })))),
        }),
        { minLength: 1, maxLength: 5 },
      )
      .map((rows) => ({ inputs, outputs, rows })),
  )

const facts: fc.Arbitrary<Record<string, unknown>> = fc.record(
  Object.fromEntries(
    TABLE_CATALOGUE.map(({ name, type }) => [
      name,
      fc.oneof(
        {
          weight: 8,
          arbitrary: fc.constantFrom<unknown>(...FEW, ...(type === 'yesNo' ? [true] : ['old'])),
        },
        { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined, {}, 'x', Number.NaN) },
      ),
    ]),
  ),
)

test('a table that is stored and read again is the same', () => {
  fc.assert(
    fc.property(table, (given) => {
      const graph = JSON.parse(JSON.stringify(toTableGraph(given, 'T')))
      const again = fromTableGraph(graph)
      expect(again && tableText(again)).toBe(tableText(given))
    }),
    { numRuns: 200 },
  )
})

test('the engine hits the row that the console says', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.array(facts, { minLength: 4, maxLength: 4 }), async (given, all) => {
      const run = await tableRunner([{ tableId: 'T', versionNo: 1, name: 'T', table: given }])
      for (const one of all) {
        const expected = evaluateTable(given, one)
        const { tables } = await run.judge(one)
        expect(tables[0]).toMatchObject({ row: expected.hit, open: expected.open })
        // what the engine alone says, of facts that are all there
        if (expected.open === null) expect(await engineRow(given, one)).toBe(expected.hit)
      }
    }),
    { numRuns: 150 },
  )
})

async function engineRow(
  given: DecisionTable,
  one: Record<string, unknown>,
): Promise<number | null> {
  const decision = new ZenEngine().createDecision(
    Buffer.from(JSON.stringify(toTableGraph(given, 'T'))),
  )
  const { trace } = (await decision.evaluate(engineFacts(one, TABLE_CATALOGUE), {
    trace: true,
  })) as { trace: Record<string, { name: string; traceData: { index: number } | null }> }
  return Object.values(trace).find(({ name }) => name === 'T')?.traceData?.index ?? null
}

test('a row is unreachable exactly when no application in the grid of its values hits it', () => {
  fc.assert(
    fc.property(table, (given) => {
      const faults = tableFaults(given)
      const hit = new Set<number>()
      let isGap = false
      for (const one of everyFact(given)) {
        const { hit: row } = evaluateTable(given, one)
        if (row === null) isGap = true
        else hit.add(row)
      }
      const isSound = faults.every(({ fault }) => fault === 'unreachable')
      if (!isSound) return
      expect(faults.map(({ row }) => row)).toEqual(
        given.rows.flatMap((_, row) => (hit.has(row) ? [] : [row])),
      )
      expect(tableNotes(given).some(({ note }) => note === 'gap')).toBe(isGap)
    }),
    { numRuns: 150 },
  )
})

/** Whole numbers around the few that cells name, options, and the empty value. */
function* everyFact({ inputs }: DecisionTable): Generator<Record<string, unknown>> {
  const values = inputs.map((name) => {
    const field = inputField(name)
    const own =
      field?.type === 'yesNo'
        ? [true, false]
        : field?.type === 'choice'
          ? ['new', 'old']
          : [0, 1, 2, 3, 4, 29, 30, 31, 1_199_999, 1_200_000, 1_200_001]
    return field?.mayBeEmpty ? [...own, null] : own
  })
  const total = values.reduce((n, all) => n * all.length, 1)
  for (let i = 0; i < total; i += 1) {
    let left = i
    const one: Record<string, unknown> = {}
    for (const [at, all] of values.entries()) {
      one[inputs[at] as string] = all[left % all.length]
      left = Math.floor(left / all.length)
    }
    yield one
  }
}

test('cells of another tool are read, and what has no meaning here is named', () => {
  const content = (
    cells: Record<string, string>,
    more: Partial<TableContent> = {},
  ): TableContent => ({
    hitPolicy: 'first',
    inputs: [{ id: 'a', field: 'orderNo' }],
    outputs: [{ id: 'b', field: 'limit' }],
    rules: [{ _id: '1', ...cells }],
    ...more,
  })
  expect(fromTableContent(content({ a: '>=3', b: '5000' }))).toEqual({
    inputs: ['orderNo'],
    outputs: ['limit'],
    rows: [{ when: [{ operator: 'atLeast', value: 3 }], gives: [5000] }],
  })
  expect(fromTableContent(content({ a: '1,2 , 3' }))).toMatchObject({
    rows: [{ when: [{ operator: 'oneOf', value: [1, 2, 3] }] }],
  })
  expect(fromTableContent(content({ a: 'orderNo * 2 > 3' }))).toEqual({
    why: 'cell',
    text: 'orderNo * 2 > 3',
    row: 1,
  })
  expect(fromTableContent(content({ b: 'min([1, 2])' }))).toMatchObject({ why: 'cell' })
  expect(fromTableContent(content({}, { hitPolicy: 'collect' }))).toMatchObject({
    why: 'hitPolicy',
  })
  expect(fromTableContent(content({}, { inputs: [{ id: 'a', field: 'shoeSize' }] }))).toEqual({
    why: 'field',
    text: 'shoeSize',
  })
})
