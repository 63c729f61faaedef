import type { Text } from '#client/base/use-text.ts'
import { ROLES } from '#shared/session/roles.ts'
import type { Announcement } from './announcement-types.ts'

/** Built-in roles by their translated names, custom roles by their mark. */
export function readersOf({ roles }: Pick<Announcement, 'roles'>, t: Text): string {
  return roles.length === 0
    ? t('announcements:everybody')
    : roles
        .map((mark) => (ROLES.some((role) => role.mark === mark) ? t(`access:mark.${mark}`) : mark))
        .join(', ')
}
