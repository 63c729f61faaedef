/** What esbuild does to the sources of the client besides bundling them. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

const ROOT = join(import.meta.dirname, '..', '..')
/** The entry point of the one style sheet. */
export const STYLES = 'virtual:styles'

/**
 * Blueprint's loaders name every icon; client/ui/frame/icons.ts registers the used ones, so the
 * loaders become empty.
 */
export const iconsOnDemand: Plugin = {
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

/**
 * Blueprint's class names and its warnings to developers are put together from texts, which a bundler
 * must keep; as plain texts those that nothing uses go. The warnings are never shown to users, so a
 * minified build has them empty.
 */
export const plainTexts: Plugin = {
  name: 'plain-texts',
  setup(pluginBuild) {
    pluginBuild.onLoad(
      { filter: /blueprintjs[\\/]core[\\/]lib[\\/]\w+[\\/]common[\\/](?:errors|classes)\.js$/ },
      async ({ path }) => {
        const isWarning = path.endsWith('errors.js') && pluginBuild.initialOptions.minify === true
        const known = new Map([
          ['ns', '[Blueprint]'],
          ['NS', 'bp6'],
        ])
        const source = (await readFile(path, 'utf8')).replaceAll(/(?<== )ns \+\s*`/g, '`${ns}')
        const contents = source.replaceAll(
          /^export const (\w+) = `([^`]*)`;$/gm,
          (_, name: string, template: string) => {
            const text = template.replaceAll(
              /\$\{(\w+)\}/g,
              (whole, part: string) => known.get(part) ?? whole,
            )
            known.set(name, text)
            return `export const ${name} = \`${isWarning ? '' : text}\`;`
          },
        )
        return { contents }
      },
    )
  },
}

/**
 * The frame shows the titles of all menus and records. They are with the texts of their features,
 * so the frame would wait for sixteen files: its own file gets them too, below `titles.<namespace>`
 * (`frameKey` in client/session/server-text.ts).
 */
export const frameTitles: Plugin = {
  name: 'frame-titles',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /[\\/]locales[\\/]\w+[\\/]shell\.json$/ }, async ({ path }) => {
      const folder = dirname(path)
      const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted()
      const texts = await Promise.all(
        files.map(async (file) => {
          const { menu, detail } = JSON.parse(
            await readFile(join(folder, file), 'utf8'),
          ) as FeatureTexts
          return [
            file.slice(0, -'.json'.length),
            { menu, detail: detail?.title === undefined ? undefined : { title: detail.title } },
          ] as const
        }),
      )
      const titles = Object.fromEntries(
        texts.filter(([, { menu, detail }]) => menu !== undefined || detail !== undefined),
      )
      const own = JSON.parse(await readFile(path, 'utf8')) as object
      return {
        contents: JSON.stringify({ ...own, titles }),
        loader: 'json',
        watchFiles: files.map((file) => join(folder, file)),
      }
    })
  },
}

interface FeatureTexts {
  menu?: Record<string, string>
  detail?: { title?: string }
}

/** Blueprint exports its palette, which nothing here uses; its package does not say that it may go. */
export const noPalette: Plugin = {
  name: 'no-palette',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^@blueprintjs\/colors$/ }, async ({ path, ...args }) => {
      if (args.pluginData === 'no-palette') return undefined
      const { resolveDir, kind } = args
      const found = await pluginBuild.resolve(path, { resolveDir, kind, pluginData: 'no-palette' })
      return { ...found, sideEffects: false }
    })
  },
}

/** Replaces the shims of libraries for functions that React has had since version 18. */
export const noShim: Plugin = {
  name: 'no-shim',
  setup(pluginBuild) {
    pluginBuild.onResolve(
      { filter: /^use-sync-external-store\/shim(?:\/index\.js)?$/ },
      ({ resolveDir, kind }) => pluginBuild.resolve('react', { resolveDir, kind }),
    )
  },
}

/**
 * A lazily loaded chunk would not load its CSS, so all style sheets of the client become one: base
 * first, then by path.
 */
export const oneStyleSheet: Plugin = {
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
