import i18next from 'i18next'
import { use, useMemo } from 'react'
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
  const names = namespaces.join(' ')
  const spaces = useMemo(() => names.split(' '), [names])
  const loading = loadingOf(spaces)
  if (loading !== undefined) use(loading)
  // i18next takes any key; the type of this function is narrower
  const t: Text = useTranslation(spaces).t
  return t as TextOf<Names>
}

const promises = new Map<string, Promise<void>>()

/**
 * Of texts that have arrived already React waits without showing that it waits. A promise thrown by
 * react-i18next always shows it, and what comes after is then held back for 300 ms.
 * @returns undefined when nobody ever waited for them; else the same promise each time, because a
 * component that waited must not call other hooks when it is rendered again
 */
function loadingOf(namespaces: readonly string[]): Promise<void> | undefined {
  const key = `${i18next.language} ${namespaces.join(' ')}`
  const known = promises.get(key)
  if (known !== undefined || namespaces.every((one) => i18next.hasLoadedNamespace(one)))
    return known
  const promise = i18next.loadNamespaces(namespaces)
  promises.set(key, promise)
  return promise
}

/** The chosen language; a component that reads it is rendered again when it changes. */
export function useLanguage(): string {
  return useTranslation('session').i18n.language
}
