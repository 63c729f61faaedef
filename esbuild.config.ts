/**
 * Builds the client (hashed ESM chunks, one style sheet, a page with nonce places) and the gateway (a bundle that keeps its
 * packages outside). `tsx esbuild.config.ts` builds both into `dist/`; the dev server calls the functions with `watch`.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type BuildOptions, build, context, type Metafile, type Plugin } from 'esbuild'

const ROOT = dirname(fileURLToPath(import.meta.url))
const STYLES = 'virtual:styles'

export interface ClientBuild {
  /** Where index.html and assets/ go. */
  outdir: string
  minify?: boolean
  /** Called after each rebuild; its presence turns watching on. */
  watch?: (failed: boolean) => void
}

export interface Built {
  metafile: Metafile | undefined
  /** Ends the watching. */
  stop(): Promise<void>
}

/** Builds the browser part; without `watch` it throws when the build fails. */
export async function buildClient({ outdir, minify = true, watch }: ClientBuild): Promise<Built> {
  const options: BuildOptions = {
    absWorkingDir: ROOT,
    entryPoints: { main: 'client/app/main.tsx', styles: STYLES },
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
    // Blueprint reads a bare global NODE_ENV beside the usual one.
    define: { NODE_ENV: JSON.stringify(minify ? 'production' : 'development'), 'process.env.NODE_ENV': JSON.stringify(minify ? 'production' : 'development') },
    plugins: [iconsOnDemand, shakeableTypebox, oneStyleSheet, writePage(outdir, minify, watch)],
  }
  await rm(outdir, { recursive: true, force: true })
  if (!watch) return { metafile: (await build(options)).metafile, stop: async () => {} }
  const watching = await context({ ...options, logLevel: 'warning' })
  await watching.watch()
  return { metafile: undefined, stop: () => watching.dispose() }
}

/** Builds the server part: main.js, the database worker beside it, and the migrations it reads. */
export async function buildGateway({ outdir }: { outdir: string }): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await build({
    absWorkingDir: ROOT,
    entryPoints: { main: 'gateway/main.ts', 'pglite-worker': 'gateway/manage/db/pglite-worker.ts' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: ['node20.19'],
    packages: 'external',
    sourcemap: 'linked',
    logLevel: 'warning',
  })
  await writeFile(join(outdir, 'version.json'), JSON.stringify(await versionOf()))
  await cp(join(ROOT, 'gateway/manage/db/migrations'), join(outdir, 'migrations'), { recursive: true })
}

/** What `/healthz` tells: version of the package, commit when built in a checkout, time of the build. */
async function versionOf(): Promise<{ version: string; commit: string; build: string }> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const commit = await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => 'none',
  )
  return { version, commit, build: new Date().toISOString() }
}

/** Blueprint's loaders name every icon there is; client/ui/icons.ts brings the used ones, so the loaders become empty. */
const iconsOnDemand: Plugin = {
  name: 'icons-on-demand',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /blueprintjs[\\/]icons[\\/]lib[\\/]\w+[\\/]paths-loaders[\\/]\w+\.js$/ }, () => ({
      contents: 'export const allPathsLoader = async () => []; export const splitPathsBySizeLoader = async () => [];',
    }))
    pluginBuild.onLoad({ filter: /blueprintjs[\\/]icons[\\/]lib[\\/]\w+[\\/]next[\\/]pathsLoader\.js$/ }, () => ({ contents: 'export const defaultNextIconPathsLoader = async () => []' }))
    // The list of all names (10 KB gzip) only serves a warning; `IconNames.EYE_OPEN` and `IconNames.EyeOpen` are `eye-open`.
    pluginBuild.onLoad({ filter: /blueprintjs[\\/]icons[\\/]lib[\\/]\w+[\\/]iconNames\.js$/ }, () => ({
      contents: `export const IconNames = new Proxy({}, { get: (_, key) => String(key).replace(/([a-z0-9])([A-Z])/g, '$1-$2').replaceAll('_', '-').toLowerCase() });
        export const IconNamesSet = { has: () => true };`,
    }))
  },
}

/** `import Type from 'typebox'` takes the whole library as one object; as a namespace only the used builders stay (19 → 3 KB gzip). */
const shakeableTypebox: Plugin = {
  name: 'shakeable-typebox',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /[\\/](?:shared|client)[\\/].*\.tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = source.replace(/^import Type(?:, (\{[^}]*\}))? from 'typebox'$/m, (_, named: string | undefined) =>
        `import * as Type from 'typebox'${named ? `; import ${named} from 'typebox'` : ''}`)
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
}

/** A lazily loaded chunk would leave its CSS behind, so all sheets of the client become one: base first, then by path. */
const oneStyleSheet: Plugin = {
  name: 'one-style-sheet',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^virtual:styles$/ }, () => ({ path: STYLES, namespace: 'styles' }))
    pluginBuild.onLoad({ filter: /.*/, namespace: 'styles' }, async () => {
      const files = (await readdir(join(ROOT, 'client'), { recursive: true })).map((file) => file.replaceAll('\\', '/'))
      const sheets = files.filter((file) => file.endsWith('.css') && !/^app\/(?:base|theme)\.css$/.test(file)).sort()
      const contents = ['app/base.css', ...sheets].map((sheet) => `@import './client/${sheet}';`).join('\n')
      return { contents, loader: 'css', resolveDir: ROOT, watchDirs: [join(ROOT, 'client')] }
    })
    pluginBuild.onResolve({ filter: /\.css$/ }, (args) => (/\.tsx?$/.test(args.importer) ? { path: args.path, namespace: 'no-style' } : undefined))
    pluginBuild.onLoad({ filter: /.*/, namespace: 'no-style' }, () => ({ contents: '' }))
  },
}

/** Writes index.html with the hashed names and, for production, the compressed twins of every file. */
function writePage(outdir: string, minify: boolean, watch: ClientBuild['watch']): Plugin {
  return {
    name: 'write-page',
    setup(pluginBuild) {
      pluginBuild.onEnd(async (result) => {
        if (result.errors.length === 0 && result.metafile) {
          const { outputs } = result.metafile
          const nameOf = (ending: RegExp) => {
            const found = Object.keys(outputs).find((file) => outputs[file]?.entryPoint !== undefined && ending.test(file))
            if (!found) throw new Error(`the client build has no output like ${ending}`)
            return found
          }
          const urlOf = (file: string) => `/${relative(outdir, join(ROOT, file)).replaceAll('\\', '/')}`
          const main = nameOf(/main-\w+\.js$/)
          const preloads = (outputs[main]?.imports ?? []).filter((i) => i.kind === 'import-statement').map((i) => `<link rel="modulepreload" href="${urlOf(i.path)}">`)
          const buildId = createHash('sha256').update(Object.keys(outputs).sort().join('\n')).digest('hex').slice(0, 12)
          const page = (await readFile(join(ROOT, 'client/app/index.html'), 'utf8'))
            .replace('__BUILD__', buildId)
            .replace('__STYLES__', urlOf(nameOf(/styles-\w+\.css$/)))
            .replace('__MAIN__', urlOf(main))
            .replace('__PRELOADS__', preloads.join('\n'))
          await mkdir(outdir, { recursive: true })
          await writeFile(join(outdir, 'index.html'), page)
          if (minify) await compress(Object.keys(outputs).map((file) => join(ROOT, file)))
        }
        watch?.(result.errors.length > 0)
      })
    },
  }
}

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
