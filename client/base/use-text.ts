import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Checked, FullKeysOf, KeysOf, Namespace } from './text-keys.ts'

type Params = Record<string, unknown>

/** `t` for any key: what functions take that get it from a component. */
export type Text = (key: string, params?: Params) => string

/** `t` for the keys of the first namespace, and for those of the others with their name. */
type TextOf<Names extends readonly string[]> = string extends Names[number]
  ? Text
  : Names extends readonly [infer First extends Namespace, ...string[]]
    ? <Key extends string>(
        key: Key &
          Checked<Key, KeysOf<First> | FullKeysOf<Extract<Names[number], Namespace> | 'ui'>>,
        params?: Params,
      ) => string
    : Text

/**
 * The texts of one or more namespaces, which are loaded first; `ui` is loaded by the frame. A key
 * without a namespace belongs to the first one. A key that no English file has does not compile;
 * keys that are a `string` (from the server, from a row) are not checked.
 */
export function useText<const Names extends readonly string[]>(
  ...namespaces: Names
): TextOf<Names> {
  const asked = namespaces.join(' ')
  const spaces = useMemo(() => asked.split(' '), [asked])
  // i18next takes any key; the type of this function is narrower
  const t: Text = useTranslation(spaces).t
  return t as TextOf<Names>
}

/** The chosen language; a component that reads it is rendered again when it changes. */
export function useLanguage(): string {
  return useTranslation('session').i18n.language
}
