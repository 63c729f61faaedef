import { useTranslation } from 'react-i18next'

/** `t` of dictionaries and lines for keys that are made at run time (types, states, kinds). */
export type Say = (key: string, params?: Record<string, unknown>) => string

export function useSay(): Say {
  const { t } = useTranslation(['system', 'ui'])
  return t as unknown as Say
}

/** With the names of the product's own parameters, which no other screen carries. */
export function useParameterSay(): Say {
  const { t } = useTranslation(['system', 'ui', 'parameters'])
  return t as unknown as Say
}
