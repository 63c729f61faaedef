import { i18n } from '#client/app/i18n.ts'

/** Who did it: a person by name, a part of the system or another system, which are known by code (`openDay`, `payout:sandbox`), in words. */
export function doerWord(by: string): string {
  const [, code, name = ''] = /^([a-z][A-Za-z.]*)(?::(.+))?$/.exec(by) ?? []
  return code === undefined
    ? by
    : (i18n.t as (key: string, params: object) => string)(`ui:doer.${code.replaceAll('.', '_')}`, {
        name,
        defaultValue: by,
      })
}
