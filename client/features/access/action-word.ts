import { actorLabel } from '#client/session/actor-label.ts'
import type { Text } from '#client/base/use-text.ts'

/** The label of an operate log action; an action without one shows its code. */
export function actionWord(t: Text, action: string): string {
  return t(`access:action.${action.replaceAll('.', '_')}`, { defaultValue: action })
}

/** The actor of an operate log entry: a person's name, or a label for the system and machines. */
export function operatorWord(
  t: Text,
  { operatorId, operatorName }: { operatorId: string | null; operatorName: string | null },
): string {
  if (operatorName === null) return t('access:operateLog.system')
  return operatorId === null ? actorLabel(operatorName) : operatorName
}
