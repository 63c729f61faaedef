import { hasText, translate } from '#client/base/i18n.ts'

/** The name of a job type; null when this build has none. Needs the texts of `notifications`. */
export function jobWord(type: string): string | null {
  const [kind, what] = type.split('.')
  const keys = [
    // a batch is called by what it does, where the texts of the rules are loaded
    ...(kind === 'batch' ? [`rules:kind.${what}`, 'notifications:jobs.type.batch'] : []),
    `notifications:jobs.type.${type.replaceAll('.', '_')}`,
  ]
  const known = keys.find((key) => hasText(key))
  return known === undefined ? null : translate(known)
}
