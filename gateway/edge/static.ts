/**
 * The built client: hashed files for ever, its pages never and with a fresh nonce; an unknown path
 * is the client router's.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NOT_AVAILABLE, NOT_FOUND } from '#shared/kernel/problem.ts'
import type { Preloads } from '#shared/kernel/preloads.ts'
import { refuse } from '#gateway/edge/answers.ts'
import { bareContentSecurityPolicy, contentSecurityPolicy } from '#gateway/edge/headers.ts'
import { pathOf } from '#gateway/edge/paths.ts'
import { preloadLinks } from '#gateway/edge/preloads.ts'

const NONCE_PLACE = '__CSP_NONCE__'
const PRELOADS_PLACE = '__SESSION_PRELOADS__'
const NOT_THE_CLIENTS = /^\/(?:api|socket\.io|assets)(?:\/|$)/

export async function serveClient(app: FastifyInstance, staticDir: string | null): Promise<void> {
  if (staticDir !== null) {
    await app.register(fastifyStatic, {
      root: staticDir,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      globIgnore: ['**/*.html', '**/*.json', '**/*.br', '**/*.gz', '**/*.map'],
      setHeaders: (reply, path) => {
        const hashed = path.slice(staticDir.length).replaceAll('\\', '/').startsWith('/assets/')
        void reply.header(
          'cache-control',
          hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    })
    for (const path of ['/', '/index.html'])
      app.get(path, (request, reply) => page(request, reply, staticDir))
    // screens without a keyboard start on a page of their own
    for (const path of ['/wall', '/wall.html'])
      app.get(path, (request, reply) =>
        page(request, reply, staticDir, 'wall.html', bareContentSecurityPolicy),
      )
  }
  app.setNotFoundHandler((request, reply) =>
    staticDir !== null && wantsPage(request)
      ? page(request, reply, staticDir)
      : refuse(reply, NOT_FOUND, {}, 404),
  )
}

function wantsPage(request: FastifyRequest): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    (request.headers.accept ?? '').includes('text/html') &&
    !NOT_THE_CLIENTS.test(pathOf(request.raw.url ?? ''))
  )
}

async function page(
  request: FastifyRequest,
  reply: FastifyReply,
  staticDir: string,
  file = 'index.html',
  policy = contentSecurityPolicy,
): Promise<FastifyReply> {
  let html: string
  try {
    html = await readFile(join(staticDir, file), 'utf8')
  } catch {
    return refuse(reply, NOT_AVAILABLE)
  }
  if (html.includes(PRELOADS_PLACE)) {
    const preloads = await readFile(join(staticDir, 'preloads.json'), 'utf8').then(
      (text) => JSON.parse(text) as Preloads,
      () => null,
    )
    const links = preloadLinks(preloads, pathOf(request.raw.url ?? ''), request.headers)
    html = html.replace(PRELOADS_PLACE, () => links)
  }
  const nonce = randomBytes(16).toString('base64')
  return reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy(nonce))
    .type('text/html; charset=utf-8')
    .send(html.replaceAll(NONCE_PLACE, nonce))
}
