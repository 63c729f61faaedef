import { ROLES } from '#shared/session/roles.ts'
import type { Text } from '#client/base/use-text.ts'

/** A built-in role by its translated name until it is renamed; a custom role by its name. */
export function roleWord(t: Text, mark: string, name: string): string {
  return ROLES.some((role) => role.mark === mark && role.name === name)
    ? t(`access:mark.${mark}`)
    : name
}
