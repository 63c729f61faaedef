/** What other features may show of parameters. */
import type { ReactNode } from 'react'
import { parameterName } from './conf/parameter-name.ts'
import { useParameterSay } from './use-say.ts'

/** The name of a parameter that a record speaks of. @param name what it was called, for those that are not the product's own */
export function ParameterName({ code, name }: { code: string; name: string }): ReactNode {
  const t = useParameterSay()
  // codes are unique: only the product's own have a text
  return parameterName(t, { code, name, builtIn: true })
}
