/**
 * Answers of manage above 1 KB travel compressed: a page of a list is a tenth of its size, and on an
 * office line that is most of the wait.
 *
 * Compression leaks a secret when a stranger can have a text of theirs and the secret put into the
 * same answer, again and again (BREACH). Here a call is made by its Authorization header, which no
 * other site can send, and answers to calls without one, such as the token of a login, stay as they
 * are. Live events are no answers and are not compressed.
 */
import { pipeline, type Readable } from 'node:stream'
import { constants, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const LEAST_BYTES = 1_024
/** Half the time of the default level, and a twentieth more bytes. */
const OPTIONS = { level: constants.Z_BEST_SPEED }
const TEXT = /^(?:application\/(?:json|problem\+json)|text\/(?:csv|plain))\b/

/** Whether the answer may be compressed for this caller, whatever its size. */
export function isCompressible(request: FastifyRequest, reply: FastifyReply): boolean {
  return (
    request.headers.authorization !== undefined &&
    request.method !== 'HEAD' &&
    takesGzip(request.headers['accept-encoding'] ?? '') &&
    reply.getHeader('content-encoding') === undefined &&
    TEXT.test(String(reply.getHeader('content-type') ?? ''))
  )
}

/** `gzip` or `*`, unless its weight is 0. */
function takesGzip(accepted: string): boolean {
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return (
      ['gzip', '*'].includes(name) && !parameters.some((text) => /^q=0(?:\.0{1,3})?$/.test(text))
    )
  })
}

/** Sends a whole answer: compressed where that is worth it. */
export function sendWhole(request: FastifyRequest, reply: FastifyReply, body: Buffer): void {
  if (body.length < LEAST_BYTES || !isCompressible(request, reply)) {
    void reply.send(body.length === 0 ? null : body)
    return
  }
  // in a thread of the pool: the loop that serves everybody's sockets does not wait for it
  gzip(body, OPTIONS, (error, packed) => {
    if (error) {
      void reply.send(body)
      return
    }
    void encoded(reply).header('content-length', packed.length).send(packed)
  })
}

/** Sends an answer that comes in parts, each compressed as it comes. */
export function sendParts(request: FastifyRequest, reply: FastifyReply, body: Readable): void {
  if (!isCompressible(request, reply)) {
    void reply.send(body)
    return
  }
  const packer = createGzip(OPTIONS)
  // an answer that breaks off breaks off for the caller, too
  pipeline(body, packer, () => undefined)
  void encoded(reply).removeHeader('content-length').send(packer)
}

function encoded(reply: FastifyReply): FastifyReply {
  return reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding')
}
