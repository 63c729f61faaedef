import { hasText } from '#client/base/i18n.ts'
import type { Text } from '#client/base/use-text.ts'
import { jobWord } from '#client/features/notifications/public.ts'
import { actorLabel } from '#client/session/actor-label.ts'

/** How a job or one of its rows ended, as the log adds it to the type of the job. */
const ENDS: Record<string, string> = {
  done: 'notifications:jobs.state.done',
  failed: 'notifications:jobs.state.failed',
  cancelled: 'notifications:jobs.state.cancelled',
  refused: 'access:operateLog.refused',
  parked: 'access:operateLog.parked',
}

/**
 * The label of an operate log action; what a job does is named after its type. An action without a
 * label shows its code. Needs the texts of `access` and `notifications`.
 */
export function actionWord(t: Text, action: string): string {
  const own = `access:action.${action.replaceAll('.', '_')}`
  if (hasText(own)) return t(own)
  const at = action.lastIndexOf('.')
  const end = ENDS[action.slice(at + 1)]
  const job = jobWord(end === undefined ? action : action.slice(0, at))
  if (job === null) return action
  return end === undefined ? job : t('access:operateLog.jobEnd', { job, end: t(end) })
}

/** The actor of an operate log entry: a person's name, or a label for the system and machines. */
export function operatorWord(
  t: Text,
  { operatorId, operatorName }: { operatorId: string | null; operatorName: string | null },
): string {
  if (operatorName === null) return t('access:operateLog.system')
  return operatorId === null ? actorLabel(operatorName) : operatorName
}
