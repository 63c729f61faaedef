import type { Say } from './use-say.ts'

/** What the log calls an action, in the words of the language; one without words shows its code. */
export function actionWord(t: Say, action: string): string {
  return t(`access:action.${action.replaceAll('.', '_')}`, { defaultValue: action })
}
