import { expect, test } from 'vitest'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { RULE_CODES } from '#gateway/manage/db/check-invariants.ts'
import { projectFiles, read, sourceFiles } from './sources.ts'

type Tree = { [key: string]: string | Tree }

const PLURAL = /_(zero|one|two|few|many|other)$/

function leaves(tree: Tree, at = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, value] of Object.entries(tree)) {
    const path = at === '' ? key : `${at}.${key}`
    if (typeof value === 'string') found.set(path, value)
    else for (const [inner, text] of leaves(value, path)) found.set(inner, text)
  }
  return found
}

const namespaces = projectFiles().flatMap(
  (path) => /^locales\/en\/([a-z-]+)\.json$/.exec(path)?.[1] ?? [],
)
const texts = (language: string, namespace: string) =>
  leaves(JSON.parse(read(`locales/${language}/${namespace}.json`)) as Tree)
const stems = (keys: Iterable<string>) =>
  [...new Set([...keys].map((key) => key.replace(PLURAL, '')))].toSorted()

test.each(LANGUAGES.filter((language) => language !== 'en'))(
  '%s has every text of English',
  (language) => {
    for (const namespace of namespaces)
      expect({ namespace, keys: stems(texts(language, namespace).keys()) }).toEqual({
        namespace,
        keys: stems(texts('en', namespace).keys()),
      })
  },
)

test.each(LANGUAGES)('%s has the plural forms its grammar asks for', (language) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  for (const namespace of namespaces) {
    const keys = [...texts(language, namespace).keys()]
    for (const stem of new Set(
      keys.filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, '')),
    )) {
      expect({
        language,
        namespace,
        stem,
        missing: forms.filter((form) => !keys.includes(`${stem}_${form}`)),
      }).toEqual({ language, namespace, stem, missing: [] })
    }
  }
})

test('a translation uses the places of its English text', () => {
  const places = (text: string) =>
    [...new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map((m) => m[1] as string))]
      .filter((name) => name !== 'count')
      .toSorted()
  for (const namespace of namespaces) {
    const english = new Map(
      [...texts('en', namespace)].map(([key, text]) => [key.replace(PLURAL, ''), text]),
    )
    for (const language of LANGUAGES) {
      for (const [key, text] of texts(language, namespace))
        expect({ language, namespace, key, places: places(text) }).toEqual({
          language,
          namespace,
          key,
          places: places(english.get(key.replace(PLURAL, '')) ?? ''),
        })
    }
  }
})

/**
 * Texts that read the same in another language: names, codes, symbols and terms every desk uses in
 * English.
 */
const SAME = /^[\s\d\p{P}\p{S}]*$|^(\{\{\w+\}\}[\s\d\p{P}\p{S}]*)+$/u

test.each(['zh', 'ja', 'th'])('%s leaves no English sentence behind', (language) => {
  for (const namespace of namespaces) {
    const english = texts('en', namespace)
    const left = [...texts(language, namespace)].filter(
      ([key, text]) =>
        text === english.get(key) && /[a-z]{3,} [a-z]{3,}/i.test(text) && !SAME.test(text),
    )
    expect({ namespace, left }).toEqual({ namespace, left: [] })
  }
})

test('no text is empty', () => {
  for (const language of LANGUAGES)
    for (const namespace of namespaces)
      for (const [key, text] of texts(language, namespace))
        expect({ language, namespace, key, empty: text.trim() === '' }).toEqual({
          language,
          namespace,
          key,
          empty: false,
        })
})

// the compiler checks the keys given to a component's own texts, and these are data: titles, labels
test('every text that a client file names with its namespace exists', () => {
  // also a group of texts, of which a code chooses one
  const known = new Set(
    namespaces.flatMap((namespace) =>
      stems(texts('en', namespace).keys()).flatMap((key) =>
        key.split('.').map((_, at, parts) => `${namespace}:${parts.slice(0, at + 1).join('.')}`),
      ),
    ),
  )
  const named = sourceFiles()
    .filter((path) => path.startsWith('client/') && !path.includes('.test.'))
    .flatMap((path) =>
      [...read(path).matchAll(/'([a-z]+):([A-Za-z][\w.]*)'/g)]
        // a sorting of a list is written alike
        .filter(
          ([, space = '', key]) => namespaces.includes(space) && !/^(a|de)sc$/.test(key ?? ''),
        )
        .map(([, namespace, key]) => ({ path, key: `${namespace}:${key}` })),
    )
  expect(named.length).toBeGreaterThan(500)
  expect(named.filter(({ key }) => !known.has(key))).toEqual([])
})

test('every problem the server may answer has a text, and none has that of another', () => {
  const problems = sourceFiles()
    .filter((path) => path.startsWith('shared/') && !/\.test\./.test(path))
    .flatMap((path) => [
      ...read(path).matchAll(
        /: ProblemKind = \{\s*id: '([^']+)'(?:,\s*code: \d+,\s*msg: '([^']+)')?/g,
      ),
    ])
    .map(([, id = '', says = '']) => ({ id, says }))
  expect(problems.length).toBeGreaterThan(20)
  const known = texts('en', 'problems')
  expect(problems.filter(({ id }) => !known.has(id))).toEqual([])
  const seen = new Map<string, string>()
  const twice = problems.filter(({ id, says }) => {
    const before = seen.get(id)
    seen.set(id, says)
    return before !== undefined && before !== says
  })
  // beyond the size of a direct download the client exports in the background and shows nothing
  expect(twice.map(({ id }) => id)).toEqual(['G-SIZE'])
})

test('every invariant has a text, and there is no other text', () => {
  for (const language of LANGUAGES)
    expect({ language, codes: [...texts(language, 'proof').keys()].toSorted() }).toEqual({
      language,
      codes: RULE_CODES.map((code) => `rule.${code}`).toSorted(),
    })
})

test('every reason for which an order rule refuses has a text', () => {
  const known = texts('en', 'problems')
  const reasons = sourceFiles()
    .filter((path) => path.startsWith('gateway/manage/') && !/\.test\./.test(path))
    .flatMap((path) => {
      const text = read(path)
      return [
        /ORDER_RULE,\s*\{\s*reason: '(\w+)'/g,
        ...(path.endsWith('/payout-facts.ts') ? [/then '(\w+)'/g] : []),
      ].flatMap((pattern) => [...text.matchAll(pattern)].map((m) => m[1] as string))
    })
  expect(reasons.length).toBeGreaterThan(30)
  expect([...new Set(reasons)].filter((reason) => !known.has(`orderRule.${reason}`))).toEqual([])
})

/** The kind of a notification, which is beside its title in the same call. */
const NOTIFICATION_KINDS = new Set([
  'assigned',
  'taken',
  'handover',
  'approval',
  'decision',
  'sla',
  'promise',
  'job',
  'system',
])

test('every notification the server writes has a text', () => {
  const known = new Set(
    namespaces.flatMap((namespace) =>
      [...texts('en', namespace).keys()].map((key) => `${namespace}:${key.replace(PLURAL, '')}`),
    ),
  )
  const missing: string[] = []
  let checked = 0
  const check = (path: string, key: string, isStart = false): void => {
    checked += 1
    if (isStart ? ![...known].some((one) => one.startsWith(key)) : !known.has(key))
      missing.push(`${path}: ${key}`)
  }
  for (const path of sourceFiles().filter(
    (one) => one.startsWith('gateway/manage/') && !/\.test\./.test(one),
  )) {
    const code = read(path)
    // whole keys, and keys with one choice of words in them; of a key made from a variable at least
    // the beginning is known
    for (const [, key] of code.matchAll(/'([a-z]+:notification\.[A-Za-z.]+)'/g))
      check(path, key as string)
    for (const [, start, inside, end] of code.matchAll(
      /`([a-z]+:notification\.[A-Za-z.]*)\$\{([^}]*)\}([A-Za-z.]*)`/g,
    )) {
      const words = [...(inside as string).matchAll(/[?:] '([A-Za-z]+)'/g)].map(
        (m) => m[1] as string,
      )
      if (words.length === 0) check(path, start as string, true)
      for (const word of words) check(path, `${start}${word}${end}`)
    }
    // a feature's own way to notify: its title stands as a word in the call
    const feature = /^gateway\/manage\/features\/([a-z]+)\//.exec(path)?.[1]
    for (const [, args] of code.matchAll(
      /\bnotify(?:About\w+|Processor|User|Person)?\(\s*tx,\s*((?:[^()]|\([^()]*\))*)\)/g,
    )) {
      for (const [, word] of (args as string)
        .replace(/[!=]== '[^']*'/g, '')
        .matchAll(/(?<![\w.:$/`'])'([a-z][A-Za-z]+)'/g))
        if (feature !== undefined && !NOTIFICATION_KINDS.has(word as string))
          check(path, `${feature}:notification.${word}`)
    }
  }
  expect(checked).toBeGreaterThan(30)
  expect([...new Set(missing)]).toEqual([])
})

test('a refusal names a state by its word, not by its code', () => {
  const bare = (text: string) => text.replace(/\$t\([^)]*\)/g, '')
  for (const language of LANGUAGES) {
    const coded = [...texts(language, 'problems')].filter(([, text]) =>
      /\{\{(state|status|progress|rule|reason)\}\}/.test(bare(text)),
    )
    expect({ language, coded }).toEqual({ language, coded: [] })
  }
})

/** Where an action of the operate log is named. */
const ACTIONS = [
  /\baudit: '([\w.]+)'/g,
  /\baction: '([\w.]+)'/g,
  /\blog[A-Z]\w*\(\s*\w+,\s*(?:[A-Z_]+|'[\w.]+'),\s*'([\w.]+)'/g,
  /\blog(?:Review|Ticket)\(\s*tx,\s*'([\w.]+)'/g,
]

test('every action of the operate log has a text', () => {
  const named = texts('en', 'access')
  const jobs = texts('en', 'notifications')
  const actions = sourceFiles().flatMap((path) => {
    if (!/^(shared|gateway\/manage)\//.test(path) || path.includes('.test.')) return []
    const source = read(path)
    return ACTIONS.flatMap((place) => [...source.matchAll(place)].map(([, action = '']) => action))
  })
  expect(actions.length).toBeGreaterThan(200)
  const hasText = (code: string) => named.has(`action.${code}`) || jobs.has(`jobs.type.${code}`)
  expect([...new Set(actions)].filter((action) => !hasText(action.replaceAll('.', '_')))).toEqual(
    [],
  )
})
