/** What other features may show of parameters. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { parameterName } from './conf/parameter-name.ts'

/**
 * The name of a parameter in an operate log entry.
 * @param name the stored name, for parameters that are not built in
 */
export function ParameterName({ code, name }: { code: string; name: string }): ReactNode {
  const t = useText('system', 'parameters')
  // codes are unique, and only built-in parameters have a text
  return parameterName(t, { code, name, builtIn: true })
}
