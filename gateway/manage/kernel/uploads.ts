/**
 * Files that come with a call, as multipart/form-data. The body is read only for who may make the
 * call, and bounded; what a file is, its bytes say. Names and types of the sender are dropped.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { type FileKind, fileKindOf, type SheetKind, sheetKindOf } from '#shared/kernel/file-kind.ts'
import { BAD_REQUEST, FILE_REFUSED, Problem, TOO_LARGE } from '#shared/kernel/problem.ts'
import { cleanPicture, PictureRefused } from './pictures/clean-picture.ts'

export interface Upload {
  /** Field it came in. */
  field: string
  /** Of a picture its re-encoded pixels, of any other file what was sent. */
  bytes: Buffer
  kind: FileKind | SheetKind
  /** Of what was sent, hex: the same request brings the same. */
  sha256: string
}

/** Boundaries, part headers and fields around the files. */
const FRAME = 65_536
const FIELD = /^[A-Za-z]\w{0,39}$/
const UNSAFE = new Set(['constructor', 'prototype'])

/**
 * Makes the routes of `own` take multipart bodies.
 * @param letIn throws for who may not call; asked before a body is read
 * @returns the files of a request, checked
 */
export function takeUploads(
  own: FastifyInstance,
  rules: readonly FileRule[],
  letIn: (request: FastifyRequest) => void,
): (request: FastifyRequest) => Promise<Upload[]> {
  const files = new WeakMap<FastifyRequest, Map<string, Buffer[]>>()
  const most = rules.reduce((sum, rule) => sum + rule.most * rule.bytes, FRAME)
  own.addHook('preParsing', async (request) => letIn(request))
  own.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: most },
    async (request: FastifyRequest, body: Buffer) => {
      const parts = await readParts(body, request.headers['content-type'] ?? '', rules)
      files.set(request, parts.files)
      return parts.fields
    },
  )
  return async (request) => {
    const taken = rules.map((rule) => ({
      rule,
      uploads: checkUploads(files.get(request)?.get(rule.name) ?? [], rule),
    }))
    return (await Promise.all(taken.map(({ rule, uploads }) => cleaned(uploads, rule)))).flat()
  }
}

/** Files of a signed call, taken before its transaction. @throws Problem G-FILE, G-SIZE */
export const takeInline = (
  files: readonly { base64: string }[],
  rule: FileRule,
): Promise<Upload[]> =>
  cleaned(
    checkUploads(
      files.map(({ base64 }) => Buffer.from(base64, 'base64')),
      rule,
    ),
    rule,
  )

/**
 * Re-encodes pictures, and keeps other files as they are.
 * @throws Problem G-FILE for one that cannot be read, or has more pixels than anybody's camera
 */
function cleaned(
  uploads: readonly Upload[],
  { name, side, refusal = 'ui:fault.fileKind' }: FileRule,
): Promise<Upload[]> {
  return Promise.all(
    uploads.map(async (upload) => {
      const { kind } = upload
      if (kind !== 'jpg' && kind !== 'png') return upload
      const { bytes } = await cleanPicture(upload.bytes, kind, { side }).catch((error: unknown) => {
        if (!(error instanceof PictureRefused)) throw error
        throw new Problem(
          FILE_REFUSED,
          {},
          { fields: { [name]: error.code === 'tooManyPixels' ? 'ui:fault.fileSize' : refusal } },
        )
      })
      return { ...upload, bytes }
    }),
  )
}

/** @throws Problem G-FILE, G-SIZE */
function checkUploads(
  files: readonly Buffer[],
  { name, least, most, bytes: limit, kinds, refusal = 'ui:fault.fileKind' }: FileRule,
): Upload[] {
  const refuse = (key: string) => new Problem(FILE_REFUSED, {}, { fields: { [name]: key } })
  if (files.length < least) throw refuse('required')
  if (files.length > most) throw refuse('maxItems')
  return files.map((bytes) => {
    if (bytes.length > limit)
      throw new Problem(
        TOO_LARGE,
        { n: limit / 1_048_576 },
        { fields: { [name]: 'ui:fault.fileSize' } },
      )
    const kind = fileKindOf(bytes) ?? sheetKindOf(bytes)
    if (kind === null || !kinds.includes(kind)) throw refuse(refusal)
    return { field: name, bytes, kind, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
}

async function readParts(
  body: Buffer,
  contentType: string,
  rules: readonly FileRule[],
): Promise<{ fields: Record<string, string>; files: Map<string, Buffer[]> }> {
  // the platform's own reader: it takes the whole body, which is bounded above and no shared memory
  const form = await new Response(body as Buffer<ArrayBuffer>, {
    headers: { 'content-type': contentType },
  })
    .formData()
    .catch(() => {
      throw new Problem(BAD_REQUEST)
    })
  const fields: Record<string, string> = {}
  const files = new Map<string, Buffer[]>(rules.map(({ name }) => [name, []]))
  for (const [name, value] of form) {
    if (!FIELD.test(name) || UNSAFE.has(name) || (typeof value === 'string') === files.has(name))
      throw new Problem(BAD_REQUEST)
    // a form writes every line break as two
    if (typeof value === 'string') fields[name] = value.replaceAll('\r\n', '\n')
    else files.get(name)?.push(Buffer.from(await value.arrayBuffer()))
  }
  return { fields, files }
}
