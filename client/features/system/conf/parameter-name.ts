/** What a parameter is called: the product's own have a text in every language, others are called what somebody wrote. */
import type { Say } from '../use-say.ts'

export interface Named {
  code: string
  name: string
  builtIn: boolean
}

/** @param t of a component that asked for the texts of `parameters` */
export function parameterName(t: Say, { code, name, builtIn }: Named): string {
  return builtIn ? t(`parameters:name.${code}`, { defaultValue: name }) : name
}
