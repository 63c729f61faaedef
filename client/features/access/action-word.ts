import { doerWord } from '#client/session/doer-word.ts'
import type { Say } from './use-say.ts'

/** What the log calls an action, in the words of the language; one without words shows its code. */
export function actionWord(t: Say, action: string): string {
  return t(`access:action.${action.replaceAll('.', '_')}`, { defaultValue: action })
}

/** Who did it: people by name, whatever it is. */
export function operatorWord(
  t: Say,
  { operatorId, operatorName }: { operatorId: string | null; operatorName: string | null },
): string {
  if (operatorName === null) return t('access:record.system')
  return operatorId === null ? doerWord(operatorName) : operatorName
}
