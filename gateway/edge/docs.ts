/**
 * `/docs`: the calls, described by manage and shown with Swagger UI. The description is asked with
 * the reader's own token, so manage decides who sees it.
 */
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { docsContentSecurityPolicy } from '#gateway/edge/headers.ts'
import { API_BASE } from '#gateway/edge/paths.ts'

const pageOf = (nonce: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Calls of the console</title>
  <link rel="stylesheet" nonce="${nonce}" href="/docs/ui/swagger-ui.css">
  <link rel="icon" href="data:,"></head>
<body><main id="calls"><p id="note">Sign in to the console first, then open this page again.</p></main>
<script nonce="${nonce}" src="/docs/ui/swagger-ui-bundle.js"></script>
<script nonce="${nonce}" src="/docs/start.js"></script></body>
</html>`

const START = `
const token = document.cookie.split('; ').find((pair) => pair.startsWith('Admin-Token='))?.slice(12)
const bearer = token ? { Authorization: decodeURIComponent(token) } : {}
const send = (url, options = {}) => fetch(url, { ...options, headers: { ...options.headers, ...bearer } })
send('${API_BASE}/docs/openapi.json').then((answer) => answer.json()).then(({ code, msg, data }) => {
  if (code !== 200) { document.getElementById('note').textContent = msg; return }
  SwaggerUIBundle({
    spec: data,
    dom_id: '#calls',
    deepLinking: true,
    tryItOutEnabled: false,
    supportedSubmitMethods: [],
  })
})
`

export async function serveDocs(app: FastifyInstance): Promise<void> {
  const root = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static')
  await app.register(fastifyStatic, {
    root,
    prefix: '/docs/ui/',
    decorateReply: false,
    index: false,
    allowedPath: (path) => /^\/swagger-ui(?:-bundle)?\.(?:js|css)$/.test(path),
  })
  app.get('/docs', (_request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', docsContentSecurityPolicy(nonce))
      .type('text/html; charset=utf-8')
      .send(pageOf(nonce))
  })
  app.get('/docs/start.js', (_request, reply) =>
    reply.header('cache-control', 'no-store').type('text/javascript; charset=utf-8').send(START),
  )
}
