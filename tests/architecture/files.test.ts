import { expect, test } from 'vitest'
import { projectFiles, read, sourceFiles } from './sources.ts'

const TOP = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'client',
  'gateway',
  'shared',
  'locales',
  'tests',
  'esbuild.config.ts',
  'vitest.config.ts',
  'docker-compose.yml',
  'README.md',
])

test('the top level contains the listed names and dot files only', () => {
  const tops = new Set(projectFiles().map((path) => path.split('/')[0] as string))
  expect([...tops].filter((name) => !TOP.has(name) && !name.startsWith('.'))).toEqual([])
})

test('no file has a generic name', () => {
  expect(
    sourceFiles().filter((path) => /(^|\/)(index|utils?|helpers?|common|misc)\.tsx?$/.test(path)),
  ).toEqual([])
})

/** Contracts that are one table of calls. */
const TABLES = new Set([
  'shared/collection/cases-api.ts',
  'shared/collection/setup-api.ts',
  'shared/tickets/tickets-api.ts',
])

test('no file of the product has more than 500 lines', () => {
  expect(
    projectFiles().filter(
      (path) =>
        /^(client|gateway|shared)\/.*\.(tsx?|css)$/.test(path) &&
        !/\.test\./.test(path) &&
        !TABLES.has(path) &&
        read(path).split('\n').length > 501,
    ),
  ).toEqual([])
})

test('every top folder has a README', () => {
  for (const folder of ['client', 'gateway', 'shared', 'tests'])
    expect(read(`${folder}/README.md`).length).toBeGreaterThan(400)
})

test('a README has at most ten decisions, numbered from one', () => {
  for (const path of projectFiles().filter((one) => one.endsWith('README.md'))) {
    const [, decisions = ''] = read(path).split('\n## Decisions\n')
    const numbers = [
      ...decisions
        .split('\n## ', 1)
        .join('')
        .matchAll(/^(\d+)\. /gm),
    ].map(([, number]) => Number(number))
    expect(numbers, path).toEqual(numbers.map((_, index) => index + 1))
    expect(numbers.length, path).toBeLessThanOrEqual(10)
  }
})

test('no code is marked as unfinished, and no test or lint rule is switched off in place', () => {
  // Written apart, so that this file does not find itself.
  const words = [
    ['TO', 'DO'],
    ['FIX', 'ME'],
    ['\\bX', 'XX\\b'],
    ['eslint-', 'disable'],
    ['oxlint-', 'disable'],
    ['@ts-', 'ignore'],
    ['@ts-', 'nocheck'],
    ['(?:test|it|describe)\\.', '(?:skip|only|todo)\\('],
  ]
  const unfinished = new RegExp(words.map((halves) => halves.join('')).join('|'))
  expect(sourceFiles().filter((path) => unfinished.test(read(path)))).toEqual([])
})

test('only the entry points read the environment, through config.ts', () => {
  const readers = sourceFiles().filter(
    (path) =>
      /^(gateway|shared)\//.test(path) && !/\.test\./.test(path) && /process\.env/.test(read(path)),
  )
  expect(readers).toEqual([
    'gateway/back-up.ts',
    'gateway/check-invariants.ts',
    'gateway/create-machine-key.ts',
    'gateway/create-seal-key.ts',
    'gateway/main.ts',
  ])
})

test('a command never asks for a second connection', () => {
  // embedded there is one session: the command would wait for itself
  expect(
    sourceFiles().filter(
      (path) =>
        path.startsWith('gateway/') && /tx\.context\.(?:parameters|database)\b/.test(read(path)),
    ),
  ).toEqual([])
})

const NOT_TEXT =
  /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*\+?=(?!=)|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser|document\.write|srcdoc=|javascript:|\beval\(|new Function\(|set(?:Timeout|Interval)\(\s*['"`]/i

test('HTML is never set from text, and no text is ever run', () => {
  expect(
    sourceFiles().filter(
      (path) => path.startsWith('client/') && !path.includes('.test.') && NOT_TEXT.test(read(path)),
    ),
  ).toEqual([])
})

test('money and dates are formatted only by the kernel', () => {
  const allowed = /^(shared\/kernel\/(money|time)\.ts|client\/ui\/value\/ist-format\.ts)$/
  expect(
    sourceFiles().filter(
      (path) =>
        /^(client|shared)\//.test(path) &&
        !/\.test\./.test(path) &&
        !allowed.test(path) &&
        /toLocaleString|toLocaleDateString|toLocaleTimeString|\.toFixed\(/.test(read(path)),
    ),
  ).toEqual([])
})
