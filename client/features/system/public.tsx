/** What other features may show of parameters. */
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryOf } from '#client/session/query.ts'
import { findConfig } from '#shared/system/config-api.ts'
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

const ParameterForm = lazyPart(() =>
  import('./conf/ParameterForm.tsx').then((m) => ({ default: m.ParameterForm })),
)

/** A parameter about to be changed to a value it had before. */
export function ParameterChange({
  code,
  value,
  onDone,
  onClose,
}: {
  code: string
  value: string
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const { data } = useQuery({ ...queryOf(findConfig, { code }), gcTime: 0 })
  return (
    data && <ParameterForm parameter={data} proposed={value} onDone={onDone} onClose={onClose} />
  )
}
