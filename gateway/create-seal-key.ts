/**
 * `npm run seal-key`: a new key for what is sealed. Embedded it is kept beside the master key and
 * seals from the next start on; for a company it is printed, to be added to SEAL_KEYS of every
 * core. The console then moves what is sealed, while it works.
 */
import { ConfigError, readConfig } from './config.ts'
import { keepSealKey, nextSealKey, readSealKeys } from './manage/kernel/seal-keys.ts'
import { masterKeyPath, readMasterKey } from './manage/kernel/master-key.ts'

try {
  const config = readConfig(process.env, '')
  if (config.fieldKey === null) {
    if (readMasterKey(config.dataDir) === null)
      throw new ConfigError(
        `${masterKeyPath(config.dataDir)} is missing; start the console once, or put the file back from a backup.`,
      )
    const text = nextSealKey(readSealKeys(config.dataDir))
    keepSealKey(config.dataDir, text)
    process.stdout.write(
      `Seal key ${text.split(':')[0]} is kept in ${config.dataDir}. ` +
        "Restart the console; keep a copy of that folder's keys with your backups.\n",
    )
  } else {
    const text = nextSealKey(config.sealKeys ?? [])
    process.stdout.write(
      'Add to SEAL_KEYS of every core, with SEAL_WITH at the present number until the last one ' +
        `has it; then take SEAL_WITH out and restart:\n${text}\n`,
    )
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
