import { translate } from '#client/base/i18n.ts'

/**
 * Label of an actor: a person by name; a part of the system or another system, known by a code
 * (`openDay`, `payout:sandbox`), by its translated text.
 */
export function actorLabel(by: string): string {
  const [, code, name = ''] = /^([a-z][A-Za-z.]*)(?::(.+))?$/.exec(by) ?? []
  return code === undefined
    ? by
    : translate(`ui:actor.${code.replaceAll('.', '_')}`, {
        name,
        defaultValue: by,
      })
}
