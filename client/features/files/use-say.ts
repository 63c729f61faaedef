import { useTranslation } from 'react-i18next'

/** `t` of files for keys that are made at run time. */
export type Say = (key: string, params?: Record<string, unknown>) => string

export function useSay(): Say {
  const { t } = useTranslation(['files', 'ui'])
  return t as unknown as Say
}
