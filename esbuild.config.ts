/**
 * Builds the client (hashed ESM chunks, one style sheet, a page with nonce placeholders) and the
 * gateway (a bundle with its packages: finding and reading 2,000 files took half of a restart).
 * `tsx esbuild.config.ts` builds both into `dist/`; the dev server calls the functions with
 * `watch`.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type BuildOptions, build, context, type Metafile, type Plugin } from 'esbuild'
import { comesWith, isSteady, joinChunks, type Part } from './client/build/join-chunks.ts'
import {
  frameTitles,
  iconsOnDemand,
  noPalette,
  noShim,
  oneStyleSheet,
  STYLES,
  plainTexts,
} from './client/build/plugins.ts'
import { preloadsOf } from './client/build/preloads.ts'
import { straightImports } from './client/build/straight-imports.ts'

const ROOT = dirname(fileURLToPath(import.meta.url))
const MAIN = 'client/app/main.tsx'
/**
 * An entry point of its own, so that its chunk contains only the library and stays cached over most
 * releases.
 */
const GRID_LIBRARY = 'client/ui/grid/grid-modules.ts'
/** The wall screen: a page, a bundle and a style sheet of its own, without the console. */
const WALL = {
  main: 'client/features/wall/board/main.tsx',
  look: 'client/features/wall/board/wall-look.css',
  page: 'client/features/wall/board/wall.html',
}

export interface ClientBuild {
  /** Target of index.html and assets/. */
  outdir: string
  minify?: boolean
  /** Whether the compressed twins of the files are written beside them. */
  compressed?: boolean
  /** Called after each rebuild; when given, files are watched. */
  watch?: (failed: boolean) => void
}

export interface Built {
  metafile: Metafile | undefined
  /** Stops watching. */
  stop(): Promise<void>
}

/** Builds the browser part; without `watch` it throws when the build fails. */
export async function buildClient({
  outdir,
  minify = true,
  compressed = minify,
  watch,
}: ClientBuild): Promise<Built> {
  const options: BuildOptions = {
    absWorkingDir: ROOT,
    entryPoints: {
      main: MAIN,
      'grid-library': GRID_LIBRARY,
      styles: STYLES,
      wall: WALL.main,
      'wall-look': WALL.look,
    },
    outdir: join(outdir, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    charset: 'utf8',
    target: ['es2022'],
    jsx: 'automatic',
    jsxDev: !minify,
    minify,
    sourcemap: minify ? false : 'linked',
    metafile: true,
    legalComments: 'none',
    loader: { '.woff2': 'file' },
    // Blueprint reads a bare global NODE_ENV as well as the usual one.
    define: {
      NODE_ENV: JSON.stringify(minify ? 'production' : 'development'),
      'process.env.NODE_ENV': JSON.stringify(minify ? 'production' : 'development'),
    },
    plugins: [
      iconsOnDemand,
      noShim,
      noPalette,
      plainTexts,
      frameTitles,
      straightImports,
      oneStyleSheet,
      ...(watch ? [writePagesOn(outdir, watch)] : []),
    ],
  }
  await rm(outdir, { recursive: true, force: true })
  if (!watch) {
    const metafile = (await build(options)).metafile as Metafile
    const outputs = minify
      ? await joinChunks(ROOT, metafile.outputs, partsOf(metafile.outputs))
      : metafile.outputs
    await writePages(outdir, outputs)
    if (compressed) await compress(Object.keys(outputs).map((file) => join(ROOT, file)))
    return { metafile: { ...metafile, outputs }, stop: async () => {} }
  }
  const watching = await context({ ...options, logLevel: 'warning' })
  await watching.watch()
  return { metafile: undefined, stop: () => watching.dispose() }
}

/**
 * Packages that read files of their own folder or import others only at run time, and optional
 * dependencies that are not installed.
 */
const UNBUNDLED = [
  '@fastify/cookie',
  '@electric-sql/pglite',
  '@node-rs/argon2',
  'sharp',
  '@gorules/zen-engine',
  '@fastify/swagger-ui',
  'esbuild',
  'pg-native',
  'bufferutil',
  'utf-8-validate',
]
/** Globals that a CommonJS package expects. */
const COMMONJS_NAMES = `import { createRequire as $createRequire } from 'node:module';
const require = $createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`

/** Builds the server part: main.js, the database worker beside it, and the migrations it reads. */
export async function buildGateway({ outdir }: { outdir: string }): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { main: 'gateway/main.ts', 'pglite-worker': 'gateway/manage/db/pglite-worker.ts' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: ['node20.19'],
    external: UNBUNDLED,
    banner: { js: COMMONJS_NAMES },
    sourcemap: 'linked',
    metafile: true,
    logLevel: 'warning',
  })
  // Node finds the names of a CommonJS package imported at run time, esbuild only its default
  // export.
  const late = Object.entries(metafile.inputs).filter(
    ([file, { imports }]) =>
      file.includes('node_modules/') &&
      imports.some(({ kind, external }) => kind === 'dynamic-import' && external !== true),
  )
  if (late.length > 0)
    throw new Error(
      `packages that import at run time stay outside the bundle: ${late.map(([file]) => file).join(', ')}`,
    )
  await writeFile(join(outdir, 'version.json'), JSON.stringify(await versionOf()))
  await cp(join(ROOT, 'gateway/manage/db/migrations'), join(outdir, 'migrations'), {
    recursive: true,
  })
}

/** What `/healthz` reports: version, commit when built in a checkout, time of the build. */
async function versionOf(): Promise<{ version: string; commit: string; build: string }> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    version: string
  }
  const commit = await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: ROOT,
  }).then(
    ({ stdout }) => stdout.trim(),
    () => 'none',
  )
  return { version, commit, build: new Date().toISOString() }
}

/** Writes index.html and wall.html with the hashed names. */
async function writePages(outdir: string, outputs: Metafile['outputs']): Promise<void> {
  const builtFrom = (source: string, ending: string) => {
    const found = Object.keys(outputs).find(
      (file) => outputs[file]?.entryPoint === source && file.endsWith(ending),
    )
    if (!found) throw new Error(`the client build has no output of ${source}`)
    return found
  }
  const urlOf = (file: string) => `/${relative(outdir, join(ROOT, file)).replaceAll('\\', '/')}`
  const buildId = createHash('sha256')
    .update(Object.keys(outputs).toSorted().join('\n'))
    .digest('hex')
    .slice(0, 12)
  const pageOf = async (source: string, entry: string, sheet: string) => {
    const main = builtFrom(entry, '.js')
    // the entry point with them: its element stands after all others
    const preloads = [...comesWith(outputs, entry)].map(
      (file) => `<link rel="modulepreload" href="${urlOf(file)}">`,
    )
    return (await readFile(join(ROOT, source), 'utf8'))
      .replace('__BUILD__', buildId)
      .replace('__STYLES__', urlOf(sheet))
      .replace('__MAIN__', urlOf(main))
      .replace('__PRELOADS__', preloads.join('\n'))
  }
  await mkdir(outdir, { recursive: true })
  await writeFile(
    join(outdir, 'preloads.json'),
    JSON.stringify(
      await preloadsOf(outputs, join(ROOT, 'client/features'), comesWith(outputs, MAIN), urlOf),
    ),
  )
  await writeFile(
    join(outdir, 'index.html'),
    await pageOf('client/app/index.html', MAIN, builtFrom(`styles:${STYLES}`, '.css')),
  )
  await writeFile(
    join(outdir, 'wall.html'),
    await pageOf(WALL.page, WALL.main, builtFrom(WALL.look, '.css')),
  )
}

function writePagesOn(outdir: string, watch: (failed: boolean) => void): Plugin {
  return {
    name: 'write-pages',
    setup(pluginBuild) {
      pluginBuild.onEnd(async ({ errors, metafile }) => {
        if (errors.length === 0 && metafile) await writePages(outdir, metafile.outputs)
        watch(errors.length > 0)
      })
    },
  }
}

/** A chunk needed by this many lazy parts is joined with what all of them need. */
const SHARED_BY = 5

/**
 * The parts loaded together: the libraries of every page, the start and the frame with its first
 * page (with what the wall shares), what the home page shares with lists, reports and others, what
 * lists and reports both need, the grid library, then what most lists, most reports and most forms
 * need. A report and the home page bring no grid.
 */
function partsOf(outputs: Metafile['outputs']): Part[] {
  const lazy = Object.values(outputs).flatMap(({ entryPoint }) =>
    entryPoint?.endsWith('.tsx') ? [comesWith(outputs, entryPoint)] : [],
  )
  const [wall, start, library, list, report, home, offers, ...frame] = [
    WALL.main,
    MAIN,
    GRID_LIBRARY,
    'client/features/orders/list/OrderListScreen.tsx',
    'client/features/reports/LendingTrendScreen.tsx',
    'client/features/session/HomeTabs.tsx',
    'client/features/review/HandoverOffers.tsx',
    'client/app/SignedIn.tsx',
    'client/ui/frame/icons.ts',
    'client/features/session/HomePageScreen.tsx',
  ].map((entry) => comesWith(outputs, entry)) as [
    Came,
    Came,
    Came,
    Came,
    Came,
    Came,
    Came,
    ...Came[],
  ]
  const inFrame = (chunk: string) => frame.some((came) => came.has(chunk))
  const inHome = (chunk: string) => (home.has(chunk) || offers.has(chunk)) && !wall.has(chunk)
  const shared = (chunk: string) => lazy.filter((came) => came.has(chunk)).length >= SHARED_BY
  return [
    {
      name: 'base',
      has: (chunk) => start.has(chunk) && wall.has(chunk) && isSteady(outputs, chunk),
    },
    { name: 'talk', has: (chunk) => start.has(chunk) && wall.has(chunk) },
    { name: 'start', has: (chunk) => start.has(chunk) },
    {
      name: 'face',
      has: (chunk) => wall.has(chunk) && (inFrame(chunk) || (shared(chunk) && list.has(chunk))),
    },
    { name: 'frame', has: inFrame },
    { name: 'work', has: (chunk) => inHome(chunk) && shared(chunk) && list.has(chunk) },
    { name: 'facts', has: (chunk) => inHome(chunk) && shared(chunk) && report.has(chunk) },
    { name: 'desk', has: (chunk) => inHome(chunk) && shared(chunk) },
    {
      name: 'screens',
      has: (chunk) => shared(chunk) && list.has(chunk) && report.has(chunk) && !wall.has(chunk),
    },
    { name: 'datagrid', has: (chunk) => library.has(chunk) },
    { name: 'lists', has: (chunk) => shared(chunk) && list.has(chunk) && !wall.has(chunk) },
    { name: 'reports', has: (chunk) => shared(chunk) && report.has(chunk) && !wall.has(chunk) },
    { name: 'forms', has: (chunk) => shared(chunk) && !wall.has(chunk) },
  ]
}

type Came = ReadonlySet<string>

async function compress(files: string[]): Promise<void> {
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      if (content.length < 1_000) return
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
    }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildClient({ outdir: join(ROOT, 'dist/client') })
  await buildGateway({ outdir: join(ROOT, 'dist/gateway') })
}
