import { ROLES } from '#shared/session/roles.ts'
import type { Say } from './use-say.ts'

/** A built-in role in the words of the language until somebody renames it; a role of the company's own as it was called. */
export function roleWord(t: Say, mark: string, name: string): string {
  return ROLES.some((role) => role.mark === mark && role.name === name)
    ? t(`access:mark.${mark}`)
    : name
}
