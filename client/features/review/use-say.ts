import { useTranslation } from 'react-i18next'
import type { Say } from './review-words.ts'

/** `t` of the review's texts, for keys put together from codes (`state.${state}`); a test looks that each key exists. */
export function useSay(): Say {
  const { t } = useTranslation(['review', 'ui'])
  return t
}
