import { expect, test } from 'vitest'
import { circles } from './circles.ts'
import { importsOf, sourceFiles } from './sources.ts'

test('a cycle is found with all its files, and a chain is not a cycle', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', ['e']],
    ['e', []],
  ])
  expect(circles(graph)).toEqual([['a', 'b', 'c']])
})

test('no files import each other in a cycle, types and lazy imports included', () => {
  const graph = new Map(sourceFiles().map((file) => [file, importsOf(file)]))
  expect(graph.size).toBeGreaterThan(1_000)
  expect(circles(graph)).toEqual([])
})
