/** Baseline of a start: PGlite opened in a directory and a node:http listener that queries it. */
import { createServer } from 'node:http'
import { PGlite } from '@electric-sql/pglite'

const database = await PGlite.create(process.env.DATA_DIR as string)
createServer((_, reply) => {
  database.query('select 1').then(
    () => reply.end('ok'),
    (error: unknown) => reply.writeHead(500).end(String(error)),
  )
}).listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => void database.close().finally(() => process.exit(0)))
