/** Who may import whom (architecture.md 1). Pure: from two paths to the reason they may not meet, or null. */

const FEATURE = /^(shared|gateway\/manage\/features|client\/features)\/([a-z-]+)\//

function featureOf(path: string): string | null {
  const name = FEATURE.exec(path)?.[2] ?? null
  return name === 'kernel' ? null : name
}

interface Arrow {
  from: RegExp
  /** Projects files it may reach (packages apart). */
  to: RegExp
  why: string
}

/** The first row whose `from` fits decides. */
const ARROWS: readonly Arrow[] = [
  {
    from: /^gateway\/dev\.ts$/,
    to: /^esbuild\.config\.ts$/,
    why: 'dev builds and starts, nothing else',
  },
  { from: /^shared\/kernel\//, to: /^shared\/kernel\//, why: 'the shared kernel knows no feature' },
  { from: /^shared\//, to: /^shared\//, why: 'shared imports nothing but itself' },
  {
    from: /^gateway\/edge\//,
    to: /^(shared\/kernel|gateway\/kernel|gateway\/edge)\//,
    why: 'the edge knows no feature and meets manage over HTTP and the feed',
  },
  {
    from: /^gateway\/kernel\//,
    to: /^(shared\/kernel|gateway\/kernel)\//,
    why: 'the gateway kernel serves both parts and knows neither',
  },
  {
    from: /^gateway\/manage\/(kernel|outbox)\//,
    to: /^(shared\/kernel|gateway\/kernel|gateway\/manage\/(kernel|outbox|db|jobs\/(job-type|scheduled-class)))/,
    why: 'the kernel of manage knows no feature',
  },
  {
    from: /^gateway\/manage\/db\/(?!seed\/|check-invariants)/,
    to: /^gateway\/manage\/db\//,
    why: 'the database layer knows no table',
  },
  {
    from: /^gateway\/manage\//,
    to: /^(shared|gateway\/kernel|gateway\/manage)\//,
    why: 'manage knows nothing of the edge',
  },
  { from: /^gateway\//, to: /^(shared|gateway)\//, why: 'the gateway knows nothing of the client' },
  {
    from: /^client\/ui\//,
    to: /^(shared\/kernel|client\/ui)\//,
    why: 'the UI kit knows no feature, no route and no socket',
  },
  {
    from: /^client\/live\//,
    to: /^(shared\/(kernel|session)|client\/(live|session|ui|app\/(i18n|store)))/,
    why: 'the live layer knows no feature',
  },
  {
    from: /^client\//,
    to: /^(shared|client|locales)\//,
    why: 'client and gateway meet over HTTP and sockets only',
  },
]

/** Where composition happens and every feature is named once. */
const COMPOSITION =
  /^(gateway\/(main|prepare-manage|manage\/(manage|core|internal))\.ts|gateway\/manage\/db\/(seed\/|check-invariants)|client\/app\/)/

/** @param from importing file, @param to imported file, both from the root with `/` */
export function forbiddenImport(from: string, to: string): string | null {
  if (isTest(from)) return null
  if (isTest(to)) return 'product code imports no test'
  const arrow = ARROWS.find((row) => row.from.test(from))
  if (arrow && !arrow.to.test(to)) return arrow.why
  if (COMPOSITION.test(from)) return null
  return acrossFeatures(from, to)
}

function acrossFeatures(from: string, to: string): string | null {
  const own = featureOf(from)
  const other = featureOf(to)
  if (other === null || own === other) return null
  // contracts, lifecycles and closed sets in shared are what features tell each other
  if (to.startsWith('shared/')) return null
  if (/\/public\.tsx?$/.test(to)) return null
  // every screen and every route stands on the session; nothing else of it is open
  if (
    own === null &&
    /^(client\/(shell|session|live)|gateway\/manage\/(vendors|jobs))\//.test(from)
  )
    return 'only composition names features'
  return 'a feature imports another only by its public file'
}

function isTest(path: string): boolean {
  return (
    path.startsWith('tests/') || /\.(test|e2e)\.tsx?$/.test(path) || /(^|\/)testing\//.test(path)
  )
}
