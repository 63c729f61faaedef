/**
 * Joins chunks that are always loaded together. esbuild makes one chunk for each set of entry
 * points that share a module; with three hundred lazy screens, forms and texts this gives six
 * hundred files, many of a few lines, and a single list requests two hundred of them.
 */
import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { basename, dirname, join as joinUrl } from 'node:path/posix'
import { build, type Metafile, type Plugin } from 'esbuild'

type Outputs = Metafile['outputs']

/** An output file; its names are final only when all contents are known. */
interface File {
  /** File name with the hash left empty: `frame-.js`. */
  name: string
  text: string
  output: Outputs[string]
}

/** An import statement as esbuild writes it, at the top of a file. */
const IMPORT = /^import(?:\{([^}]*)\}from)?"\.\/([^"]+)";?/
const REFERENCE = /(?<=(?:from|import|import\()")\.\/([^"]+)(?=")/g
const HASH = /(?<=-)[A-Z0-9]{8}(?=\.js$)/

export interface Part {
  name: string
  /** Whether a chunk belongs to this part; its imports must not lead back to the part. */
  has: (chunk: string) => boolean
}

/**
 * Joins the chunks of each part into one file; importers of a chunk then import the part. An entry
 * point stays as a file that re-exports the part's names.
 * @param outputs the files of the build, with paths below `root`
 * @param parts from the innermost to the outermost; a chunk belongs to the first part that includes
 * it
 * @returns the files to write instead
 * @throws Error when a file is not in the form esbuild writes, or when files would import each
 * other in a cycle
 */
export async function joinChunks(
  root: string,
  outputs: Outputs,
  parts: readonly Part[],
): Promise<Outputs> {
  const scripts = Object.keys(outputs)
    .filter((file) => file.endsWith('.js'))
    .toSorted()
  const folder = dirname(scripts[0] as string)
  const membersOf = new Map(
    parts.map((part) => [
      part,
      inOrder(
        outputs,
        scripts.filter((file) => part === parts.find(({ has }) => has(file))),
      ),
    ]),
  )
  const partOf = new Map(
    [...membersOf].flatMap(([part, members]) =>
      members.map((file, at) => [basename(file), { part, at }]),
    ),
  )
  /**
   * A file of the build whose imports use the names of the parts; imports within its own part stay.
   */
  const read = async (file: string): Promise<string> => {
    const own = partOf.get(basename(file))?.part
    let [head, rest] = ['', (await readFile(join(root, file), 'utf8')).trimEnd()]
    for (let found = IMPORT.exec(rest); found; found = IMPORT.exec(rest)) {
      const [statement, names, from = ''] = found
      const to = partOf.get(from)
      const renamed = names
        ?.split(',')
        .map((name) =>
          name.includes(' as ')
            ? name.replace(' as ', `_${to?.at} as `)
            : `${name}_${to?.at} as ${name}`,
        )
        .join(',')
      head +=
        to === undefined || to.part === own
          ? statement
          : names === undefined
            ? `import"./${to.part.name}-.js";`
            : `import{${renamed}}from"./${to.part.name}-.js";`
      rest = rest.slice(statement.length)
    }
    if (/^import[\s{*"]/.test(rest))
      throw new Error(
        `${file} has an import that is not as esbuild writes it: ${rest.slice(0, 80)}`,
      )
    return head + rest
  }
  /** Bundles the chunks of a part; everything else stays an import. */
  const only = (part: Part): Plugin => ({
    name: 'only-this-part',
    setup(one) {
      one.onResolve({ filter: /^\.\// }, ({ path, kind }) =>
        kind !== 'dynamic-import' && partOf.get(basename(path))?.part === part
          ? { path: basename(path), namespace: 'part' }
          : { path, external: true },
      )
      one.onLoad({ filter: /./, namespace: 'part' }, async ({ path }) => ({
        contents: await read(joinUrl(folder, path)),
      }))
    },
  })

  const files: File[] = []
  for (const [part, members] of membersOf) {
    if (members.length === 0) continue
    const contents = members.map((file, at) => {
      const names = (outputs[file] as Outputs[string]).exports.map(
        (name) => `${name} as ${name}_${at}`,
      )
      return `import './${basename(file)}'; export { ${names.join(', ')} } from './${basename(file)}'`
    })
    const { outputFiles } = await build({
      stdin: { contents: contents.join('\n'), resolveDir: join(root, folder) },
      bundle: true,
      write: false,
      minify: true,
      format: 'esm',
      charset: 'utf8',
      target: ['es2022'],
      legalComments: 'none',
      logLevel: 'warning',
      plugins: [only(part)],
    })
    const inputs = Object.assign(
      {},
      ...members.map((file) => (outputs[file] as Outputs[string]).inputs),
    ) as Outputs[string]['inputs']
    files.push({
      name: `${part.name}-.js`,
      text: (outputFiles[0]?.text ?? '').trimEnd(),
      output: { bytes: 0, imports: [], exports: [], inputs },
    })
  }
  for (const file of scripts) {
    const output = outputs[file] as Outputs[string]
    const to = partOf.get(basename(file))
    if (to === undefined) files.push({ name: basename(file), text: await read(file), output })
    else if (output.entryPoint !== undefined) {
      const names = output.exports.map((name) => `${name}_${to.at} as ${name}`)
      files.push({
        name: basename(file),
        text: `export{${names.join(',')}}from"./${to.part.name}-.js";`,
        output: { ...output, inputs: {} },
      })
    }
    await rm(join(root, file))
  }
  return {
    ...Object.fromEntries(Object.entries(outputs).filter(([file]) => !scripts.includes(file))),
    ...(await write(root, folder, files)),
  }
}

/**
 * Writes the files under names that change when they, or any file they import, change: browsers
 * cache a file for a year.
 */
async function write(root: string, folder: string, files: readonly File[]): Promise<Outputs> {
  const byName = new Map(files.map((file) => [file.name, file]))
  const known = new Set(byName.keys())
  const leadsTo = new Map(
    files.map(({ name, text }) => [
      name,
      [...new Set([...text.matchAll(REFERENCE)].map(([, to]) => to as string))].filter((to) =>
        known.has(to),
      ),
    ]),
  )
  const nameOf = new Map(
    files.map(({ name, text }) => {
      const hash = createHash('sha256').update(text)
      for (const to of [...reachedFrom([name], (file) => leadsTo.get(file) ?? [])]
        .filter((file) => file !== name)
        .toSorted())
        hash.update(byName.get(to)?.text ?? '')
      const short = hash.digest('hex').slice(0, 8).toUpperCase()
      return [
        name,
        HASH.test(name) ? name.replace(HASH, short) : name.replace('-.js', `-${short}.js`),
      ]
    }),
  )
  const outputs: Outputs = {}
  for (const { name, text, output } of files) {
    const final = text.replace(REFERENCE, (whole, to: string) =>
      nameOf.has(to) ? `./${nameOf.get(to)}` : whole,
    )
    const imports = [...final.matchAll(REFERENCE)].map((found) => ({
      path: joinUrl(folder, found[1] as string),
      kind: final.slice(0, found.index).endsWith('("')
        ? ('dynamic-import' as const)
        : ('import-statement' as const),
    }))
    outputs[joinUrl(folder, nameOf.get(name) as string)] = {
      ...output,
      bytes: Buffer.byteLength(final),
      imports,
    }
    await writeFile(join(root, folder, nameOf.get(name) as string), `${final}\n`)
  }
  refuseCircles(outputs)
  return outputs
}

/** In a cycle one file would run before its dependencies. */
function refuseCircles(outputs: Outputs): void {
  const done = new Set<string>()
  const look = (file: string, above: readonly string[]): void => {
    if (above.includes(file)) {
      const cycle = [...above.slice(above.indexOf(file)), file].map((one) => basename(one))
      throw new Error(`files import each other: ${cycle.join(' -> ')}`)
    }
    if (done.has(file)) return
    for (const path of importsOf(outputs, file)) look(path, [...above, file])
    done.add(file)
  }
  for (const file of Object.keys(outputs)) look(file, [])
}

/** The files, each after its imports. */
function inOrder(outputs: Outputs, files: readonly string[]): string[] {
  return [...reachedFrom(files, (file) => importsOf(outputs, file))].filter((file) =>
    files.includes(file),
  )
}

/**
 * The files loaded together with a file: itself and all its static imports.
 * @throws Error when the build has no such entry point
 */
export function comesWith(outputs: Outputs, entryPoint: string): ReadonlySet<string> {
  const start = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === entryPoint)
  if (start === undefined) throw new Error(`the build has no ${entryPoint}`)
  return reachedFrom([start], (file) => importsOf(outputs, file))
}

/**
 * Whether none of a file's static imports loads anything lazily, so that a change of a lazy chunk
 * leaves the file name as it is.
 */
export function isSteady(outputs: Outputs, file: string): boolean {
  return ![...reachedFrom([file], (one) => importsOf(outputs, one))].some((one) =>
    outputs[one]?.imports.some(({ kind }) => kind === 'dynamic-import'),
  )
}

/** Static imports of a file. */
function importsOf(outputs: Outputs, file: string): string[] {
  return (outputs[file]?.imports ?? []).flatMap(({ path, kind }) =>
    kind === 'import-statement' ? [path] : [],
  )
}

/** The files and all their imports, static and lazy, each after its imports. */
function reachedFrom(
  files: readonly string[],
  next: (file: string) => readonly string[],
): ReadonlySet<string> {
  const seen = new Set<string>()
  const reached = new Set<string>()
  const reach = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const to of next(file)) reach(to)
    reached.add(file)
  }
  for (const file of files) reach(file)
  return reached
}
