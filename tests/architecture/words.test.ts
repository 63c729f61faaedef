import { expect, test } from 'vitest'
import { projectFiles, read } from './sources.ts'

const isText = (path: string) => /\.(tsx?|css|sql|md)$/.test(path)

/** Written apart, so that this file does not find itself. */
const DOCUMENTS = 'domain api roles screens ux trust style stack architecture'.split(' ')
const OUTSIDE = new RegExp(`\\b(?:${DOCUMENTS.join('|')})[.]md\\b`)

test('no file cites a document that is not in the project', () => {
  expect(projectFiles().filter((path) => isText(path) && OUTSIDE.test(read(path)))).toEqual([])
})

/**
 * Files with lines that cannot be broken (paths of pictures, user agents, URLs, sentences of the
 * demo) and how many; a number may only fall.
 */
const WIDE = JSON.parse(read('tests/architecture/wide-lines.json')) as Record<string, number>
const WIDTH = 120

test('no line is wider than 120 characters, but for those that cannot be broken', () => {
  const wide = Object.fromEntries(
    projectFiles()
      .filter((path) => /\.(tsx?|css)$/.test(path))
      .flatMap((path) => {
        const count = read(path)
          .split('\n')
          .filter((line) => line.length > WIDTH).length
        return count > (WIDE[path] ?? 0) ? [[path, count]] : []
      }),
  )
  expect(wide).toEqual({})
})
