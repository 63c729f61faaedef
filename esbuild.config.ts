/**
 * Builds the client (hashed ESM chunks, one style sheet, a page with nonce placeholders) and the
 * gateway (a bundle with its packages: finding and reading 2,000 files took half of a restart).
 * `tsx esbuild.config.ts` builds both into `dist/`; the dev server calls the functions with
 * `watch`.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type BuildOptions, build, context, type Metafile, type Plugin } from 'esbuild'
import { comesWith, isSteady, joinChunks, type Part } from './client/build/join-chunks.ts'

const ROOT = dirname(fileURLToPath(import.meta.url))
const STYLES = 'virtual:styles'
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
  /** Called after each rebuild; when given, files are watched. */
  watch?: (failed: boolean) => void
}

export interface Built {
  metafile: Metafile | undefined
  /** Stops watching. */
  stop(): Promise<void>
}

/** Builds the browser part; without `watch` it throws when the build fails. */
export async function buildClient({ outdir, minify = true, watch }: ClientBuild): Promise<Built> {
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
    target: ['es2022'],
    jsx: 'automatic',
    jsxDev: !minify,
    minify,
    sourcemap: minify ? false : 'linked',
    metafile: true,
    legalComments: 'none',
    // Blueprint reads a bare global NODE_ENV as well as the usual one.
    define: {
      NODE_ENV: JSON.stringify(minify ? 'production' : 'development'),
      'process.env.NODE_ENV': JSON.stringify(minify ? 'production' : 'development'),
    },
    plugins: [
      iconsOnDemand,
      noShim,
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
    if (minify) await compress(Object.keys(outputs).map((file) => join(ROOT, file)))
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

/**
 * Blueprint's loaders name every icon; client/ui/frame/icons.ts registers the used ones, so the
 * loaders become empty.
 */
const iconsOnDemand: Plugin = {
  name: 'icons-on-demand',
  setup(pluginBuild) {
    pluginBuild.onLoad(
      { filter: /blueprintjs[\\/]icons[\\/]lib[\\/]\w+[\\/]paths-loaders[\\/]\w+\.js$/ },
      () => ({
        contents:
          'export const allPathsLoader = async () => []; export const splitPathsBySizeLoader = async () => [];',
      }),
    )
    pluginBuild.onLoad(
      { filter: /blueprintjs[\\/]icons[\\/]lib[\\/]\w+[\\/]next[\\/]pathsLoader\.js$/ },
      () => ({ contents: 'export const defaultNextIconPathsLoader = async () => []' }),
    )
    // The list of all names (10 KB gzip) only serves a warning; `IconNames.EYE_OPEN` and
    // `IconNames.EyeOpen` are `eye-open`.
    pluginBuild.onLoad(
      { filter: /blueprintjs[\\/]icons[\\/]lib[\\/]\w+[\\/]iconNames\.js$/ },
      () => ({
        contents: `const dashed = (key) => String(key).replace(/([a-z0-9])([A-Z])/g, '$1-$2').replaceAll('_', '-');
        export const IconNames = new Proxy({}, { get: (_, key) => dashed(key).toLowerCase() });
        export const IconNamesSet = { has: () => true };`,
      }),
    )
  },
}

/** Replaces the shims of libraries for functions that React has had since version 18. */
const noShim: Plugin = {
  name: 'no-shim',
  setup(pluginBuild) {
    pluginBuild.onResolve(
      { filter: /^use-sync-external-store\/shim(?:\/index\.js)?$/ },
      ({ resolveDir, kind }) => pluginBuild.resolve('react', { resolveDir, kind }),
    )
  },
}

/**
 * Named imports from these packages go straight to the declaring file. esbuild puts a module into
 * the chunk of all its importers, and importing a package's index reaches whatever any screen uses:
 * the login would load the validator of the forms, the frame every component (12 and 20 KB gzip).
 * The sources keep the plain import.
 */
const INDEXES: Readonly<Record<string, string>> = {
  '@blueprintjs/core': '@blueprintjs/core/lib/esm/index.js',
  '@blueprintjs/icons': '@blueprintjs/icons/lib/esm/generated/index.js',
  '@blueprintjs/icons/lib/esm/generated/16px/paths/index.js':
    '@blueprintjs/icons/lib/esm/generated/16px/paths/index.js',
  typebox: 'typebox/build/typebox.mjs',
  'typebox/value': 'typebox/build/value/index.mjs',
}

const straightImports: Plugin = {
  name: 'straight-imports',
  setup(pluginBuild) {
    pluginBuild.onLoad(
      {
        filter:
          /[\\/](?:shared|client)[\\/].*\.tsx?$|blueprintjs[\\/]\w+[\\/]lib[\\/]esm[\\/].*\.js$/,
      },
      async ({ path }) => {
        const source = await readFile(path, 'utf8')
        const contents = source.replace(
          /^import (?!type )([^;'"]+?) from ['"]([^'"]+)['"]/gm,
          (whole, names: string, from: string) => {
            const index = INDEXES[from]
            return index === undefined
              ? whole
              : straightened(names, source, join(ROOT, 'node_modules', index))
          },
        )
        return {
          contents,
          loader: path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js',
        }
      },
    )
    // The builders import the whole type engine for this one function, so the login would load that
    // too.
    pluginBuild.onLoad(
      { filter: /typebox[\\/]build[\\/]type[\\/]action[\\/]_add_optional\.mjs$/ },
      () => ({
        contents: `import { Memory } from '../../system/memory/index.mjs';
        import { Deferred } from '../types/deferred.mjs';
        export const AddOptional = (type, options = {}) => Memory.Update(type, { '~optional': true }, options);
        export const AddOptionalDeferred = (type, options = {}) => Deferred('AddOptional', [type], options);`,
      }),
    )
  },
}

/**
 * The import of `names` from an index, as one import per name; `import Type` becomes an object of
 * the builders that the source uses.
 */
function straightened(names: string, source: string, index: string): string {
  const one = (name: string, as: string): string => {
    const found = declarationOf(index, name)
    if (found === null) throw new Error(`${index} has no ${name}`)
    const clause = found.name === '*' ? `* as ${as}` : `{ ${found.name} as ${as} }`
    return `import ${clause} from ${JSON.stringify(found.file)}`
  }
  const [, whole, list = ''] = /^(\w+)?[\s,]*(?:\{([^}]*)\})?$/.exec(names) ?? []
  const used =
    whole === undefined
      ? []
      : [...new Set(source.match(new RegExp(`(?<=\\b${whole}\\.)\\w+(?=[(<])`, 'g')))].filter(
          (name) => declarationOf(index, name) !== null,
        )
  return [
    ...used.map((name) => one(name, `${whole}$${name}`)),
    ...(whole === undefined
      ? []
      : [`const ${whole} = { ${used.map((name) => `${name}: ${whole}$${name}`).join(', ')} }`]),
    ...list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => one(...splitName(name))),
  ].join('; ')
}

/**
 * The file that declares a re-exported name, and its name there; `*` for the whole file. Null for a
 * type.
 */
function declarationOf(index: string, name: string): { file: string; name: string } | null {
  const source = readFileSync(index, 'utf8')
  const fileOf = (from: string): string =>
    ['', '.js', '/index.js']
      .map((ending) => join(dirname(index), from + ending))
      .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile()) as string
  for (const [, list, from] of source.matchAll(/^export \{([^}]*)\} from ['"](\..+?)['"]/gm)) {
    for (const [inside, outside] of (list as string).split(',').map((one) => splitName(one.trim())))
      if (outside === name) return declarationOf(fileOf(from as string), inside)
  }
  for (const [, as, from] of source.matchAll(
    /^(?:import|export) \* as (\w+) from ['"](\..+?)['"]/gm,
  ))
    if (as === name) return { file: fileOf(from as string), name: '*' }
  for (const [, from] of source.matchAll(/^export \* from ['"](\..+?)['"]/gm)) {
    const found = declarationOf(fileOf(from as string), name)
    if (found !== null) return found
  }
  if (name === 'default') return /^export default /m.test(source) ? { file: index, name } : null
  return new RegExp(
    `^export (?:(?:const|function|class|var) ${name}\\b|\\{[^}]*\\b${name}\\b[^}]*\\}(?! from))`,
    'm',
  ).test(source)
    ? { file: index, name }
    : null
}

function splitName(text: string): [inside: string, outside: string] {
  const [inside = '', outside = inside] = text.split(' as ')
  return [inside, outside]
}

/**
 * A lazily loaded chunk would not load its CSS, so all style sheets of the client become one: base
 * first, then by path.
 */
const oneStyleSheet: Plugin = {
  name: 'one-style-sheet',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^virtual:styles$/ }, () => ({
      path: STYLES,
      namespace: 'styles',
    }))
    pluginBuild.onLoad({ filter: /.*/, namespace: 'styles' }, async () => {
      const files = (await readdir(join(ROOT, 'client'), { recursive: true })).map((file) =>
        file.replaceAll('\\', '/'),
      )
      const sheets = files
        .filter(
          (file) =>
            file.endsWith('.css') &&
            !/^(?:app\/(?:base|theme)|features\/wall\/board\/.*)\.css$/.test(file),
        )
        .toSorted()
      const contents = ['app/base.css', ...sheets]
        .map((sheet) => `@import './client/${sheet}';`)
        .join('\n')
      return { contents, loader: 'css', resolveDir: ROOT, watchDirs: [join(ROOT, 'client')] }
    })
    pluginBuild.onResolve({ filter: /\.css$/ }, (args) =>
      /\.tsx?$/.test(args.importer) ? { path: args.path, namespace: 'no-style' } : undefined,
    )
    pluginBuild.onLoad({ filter: /.*/, namespace: 'no-style' }, () => ({ contents: '' }))
  },
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
    const preloads = [...comesWith(outputs, entry)]
      .filter((file) => file !== main)
      .map((file) => `<link rel="modulepreload" href="${urlOf(file)}">`)
    return (await readFile(join(ROOT, source), 'utf8'))
      .replace('__BUILD__', buildId)
      .replace('__STYLES__', urlOf(sheet))
      .replace('__MAIN__', urlOf(main))
      .replace('__PRELOADS__', preloads.join('\n'))
  }
  await mkdir(outdir, { recursive: true })
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
const SHARED_BY = 12

/**
 * The parts loaded together: the libraries of every page, the start and the frame with its first
 * page (with what the wall shares), the grid library, then what most lists and most forms need.
 */
function partsOf(outputs: Metafile['outputs']): Part[] {
  const lazy = Object.values(outputs).flatMap(({ entryPoint }) =>
    entryPoint?.endsWith('.tsx') ? [comesWith(outputs, entryPoint)] : [],
  )
  const [wall, start, library, list, ...frame] = [
    WALL.main,
    MAIN,
    GRID_LIBRARY,
    'client/features/orders/list/OrderListScreen.tsx',
    'client/app/SignedIn.tsx',
    'client/ui/frame/icons.ts',
    'client/features/session/HomePageScreen.tsx',
  ].map((entry) => comesWith(outputs, entry)) as [Came, Came, Came, Came, ...Came[]]
  const inFrame = (chunk: string) => frame.some((came) => came.has(chunk))
  const shared = (chunk: string) => lazy.filter((came) => came.has(chunk)).length >= SHARED_BY
  return [
    {
      name: 'base',
      has: (chunk) => start.has(chunk) && wall.has(chunk) && isSteady(outputs, chunk),
    },
    { name: 'talk', has: (chunk) => start.has(chunk) && wall.has(chunk) },
    { name: 'start', has: (chunk) => start.has(chunk) },
    { name: 'face', has: (chunk) => inFrame(chunk) && wall.has(chunk) },
    { name: 'frame', has: inFrame },
    { name: 'datagrid', has: (chunk) => library.has(chunk) },
    { name: 'lists', has: (chunk) => shared(chunk) && list.has(chunk) && !wall.has(chunk) },
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
