import { readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

const ROOT = join(import.meta.dirname, '..', '..')

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

/** Beside the module of TypeBox that is replaced. */
const MEMORY = '../../system/memory/index.mjs'
const DEFERRED = '../types/deferred.mjs'

export const straightImports: Plugin = {
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
        contents: `import { Memory } from '${MEMORY}';
        import { Deferred } from '${DEFERRED}';
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
