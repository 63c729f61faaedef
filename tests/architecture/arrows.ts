/** Who may import whom. Pure: from two paths to the reason they may not meet, or null. */

const FEATURE = /^(shared|gateway\/manage\/features|client\/features)\/([a-z-]+)\//

function featureOf(path: string): string | null {
  const name = FEATURE.exec(path)?.[2] ?? null
  return name === 'kernel' ? null : name
}

interface Arrow {
  from: RegExp
  /** Files of the project it may reach; packages are not looked at. */
  to: RegExp
  why: string
}

/** The first row whose `from` matches decides. */
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
    from: /^gateway\/manage\/db\/(?!check-invariants)/,
    to: /^gateway\/(manage\/db\/|kernel\/shifted-clock)/,
    why: 'the database layer knows no table',
  },
  {
    from: /^gateway\/manage\//,
    to: /^(shared|gateway\/kernel|gateway\/manage)\//,
    why: 'manage knows nothing of the edge',
  },
  { from: /^gateway\//, to: /^(shared|gateway)\//, why: 'the gateway knows nothing of the client' },
  // The rooms of the client, from the ground up: each reaches itself and those before it.
  {
    from: /^client\/base\//,
    to: /^(shared\/(kernel|preferences)|client\/base|locales)\//,
    why: 'base imports nothing of the client',
  },
  {
    from: /^client\/ui\//,
    to: /^(shared\/kernel|client\/(base|ui))\//,
    why: 'the UI kit knows no feature, no route and no socket',
  },
  {
    from: /^client\/session\//,
    to: /^(shared|client\/(base|ui|session))\//,
    why: 'the session knows no socket, no screen and no frame',
  },
  {
    from: /^client\/live\//,
    to: /^(shared\/(kernel|session)|client\/(base|ui|session|live))\//,
    why: 'the live layer knows no feature',
  },
  {
    from: /^client\/screen\//,
    to: /^(shared|client\/(base|ui|session|live|screen))\//,
    why: 'the screen kit knows no feature and no frame',
  },
  {
    from: /^client\/shell\//,
    to: /^(shared|client\/(base|ui|session|live|screen|shell))\/|^client\/features\/\w+\/public\.tsx?$/,
    why: 'the frame is handed its screens and its parts by the app',
  },
  {
    from: /^client\/features\/(?!session\/)/,
    to: /^(shared|client\/(base|ui|session|live|screen|features)|locales)\//,
    why: 'a feature stands on the screen kit, not on the frame',
  },
  {
    from: /^client\//,
    to: /^(shared|client|locales)\//,
    why: 'client and gateway meet over HTTP and sockets only',
  },
]

/** Where composition happens and every feature is named once. */
const COMPOSITION =
  /^(gateway\/(main|prepare-manage|manage\/(manage|internal))\.ts|gateway\/manage\/(demo\/|db\/check-invariants)|client\/app\/)/

/** @param from importing file, @param to imported file, both from the root with `/` */
export function forbiddenImport(from: string, to: string): string | null {
  if (isTest(from)) return null
  if (isTest(to)) return 'product code imports no test'
  const arrow = ARROWS.find((row) => row.from.test(from))
  if (arrow && !arrow.to.test(to)) return arrow.why
  if (COMPOSITION.test(from)) return null
  return acrossFeatures(from, to)
}

/** Predicates of a data scope are open to every feature; they import nothing but others. */
const SCOPE = /^gateway\/manage\/features\/[a-z-]+\/[a-z]+-scope\.ts$/

function acrossFeatures(from: string, to: string): string | null {
  const own = featureOf(from)
  const other = featureOf(to)
  if (other === null || own === other) return null
  // Contracts, lifecycles and closed sets in shared are open to every feature.
  if (to.startsWith('shared/')) return null
  if (/\/public\.tsx?$/.test(to) || SCOPE.test(to)) return null
  return 'a feature imports another only by its public file or its data scope'
}

function isTest(path: string): boolean {
  return (
    path.startsWith('tests/') || /\.(test|e2e)\.tsx?$/.test(path) || /(^|\/)testing\//.test(path)
  )
}
