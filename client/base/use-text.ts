import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** `t` for keys built at run time (`state.${state}`) or containing their namespace. */
export type Text = (key: string, params?: Record<string, unknown>) => string

/**
 * The texts of one or more namespaces. A key without a namespace belongs to the first one; `ui` is
 * always available. i18next types `t` by the keys of the English files, which a key built at run
 * time cannot satisfy, so the type is widened here and nowhere else. A test checks that every such
 * key exists.
 */
export function useText(...namespaces: readonly string[]): Text {
  const asked = namespaces.join(' ')
  const spaces = useMemo(() => [...asked.split(' '), 'ui'], [asked])
  const { t } = useTranslation(spaces as never)
  return t as unknown as Text
}
