import type { Say } from './use-say.ts'

/** What the log calls an action, in the words of the language; one without words shows its code. */
export function actionWord(t: Say, action: string): string {
  return t(`access:action.${action.replaceAll('.', '_')}`, { defaultValue: action })
}

/** Who did it: people by name; jobs and vendors, which the log knows by code (`openDay`, `payout:sandbox`), in words where there are some. */
export function operatorWord(t: Say, { operatorId, operatorName }: { operatorId: string | null; operatorName: string | null }): string {
  const system = t('access:record.system')
  if (operatorName === null) return system
  const [, code, of] = /^([a-z][A-Za-z]*)(?::(.+))?$/.exec(operatorName) ?? []
  if (operatorId !== null || code === undefined) return operatorName
  const word = actionWord(t, code)
  return word === code ? operatorName : `${system} · ${word}${of === undefined ? '' : ` (${of})`}`
}
