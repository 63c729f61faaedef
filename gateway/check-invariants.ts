/**
 * `npm run check:invariants`: proves the ledger, the book, the reports, the keys and the logs of
 * this installation; exit 1 when a rule is broken. `-- --anchors FILE` proves the operate log
 * against anchors of that file instead of the configured one, `-- --archive DIR` the entries that
 * were exported against the files of that directory.
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './config.ts'
import { keysOfBook } from './keys-of-book.ts'
import { createLogger } from './kernel/logger.ts'
import { checkInvariants } from './manage/db/check-invariants.ts'
import { checkKeys } from './manage/kernel/book-keys.ts'
import { anchorsOf, checkChain, readCut } from './manage/kernel/chain-signature.ts'
import { checkArchives } from './manage/features/access/public.ts'
import { proveRollups } from './manage/features/reports/public.ts'
import { secretsOf } from './manage/kernel/secrets.ts'
import { oneLine } from './one-line.ts'
import { openBook } from './open-book.ts'

await oneLine(async () => {
  const config = readConfig(process.env, '')
  const { values } = parseArgs({
    options: { anchors: { type: 'string' }, archive: { type: 'string' } },
  })
  for (const given of [values.anchors, values.archive])
    if (given !== undefined && !existsSync(given)) throw new ConfigError(`${given} cannot be read`)
  const file = values.anchors ?? config.anchorFile
  const archive = values.archive ?? config.logArchiveDir
  const database = await openBook(config, createLogger('error'), () => undefined)
  try {
    const { masterKey, sealKeys, sealWith } = await keysOfBook(config, database)
    const secrets = secretsOf(masterKey, sealKeys, sealWith)
    const anchors = file === null ? [] : anchorsOf(file)
    const cut = await readCut(database.kysely)
    const results = [
      await checkKeys(database, secrets),
      ...(await checkChain(database, secrets, anchors)),
      ...(archive === null ? [] : [await checkArchives(archive, secrets, cut)]),
      ...(await checkInvariants(database)),
      ...(await proveRollups(database)),
    ]
    for (const { code, name, violations, sample } of results) {
      const found = violations === 0 ? '' : `: ${violations} (${sample.join(', ')})`
      process.stdout.write(`${violations === 0 ? 'ok    ' : 'BROKEN'} ${code} ${name}${found}\n`)
    }
    const broken = results.filter((result) => result.violations > 0).length
    process.stdout.write(`${results.length} rules, ${broken} broken\n`)
    if (broken > 0) process.exitCode = 1
  } finally {
    await database.close()
  }
})
