/**
 * The name of a parameter: built-in ones have a text in every language, others their stored name.
 */
import type { Text } from '#client/base/use-text.ts'

export interface Named {
  code: string
  name: string
  builtIn: boolean
}

/** @param t from a component that loads the namespace `parameters` */
export function parameterName(t: Text, { code, name, builtIn }: Named): string {
  return builtIn ? t(`parameters:name.${code}`, { defaultValue: name }) : name
}
