/** The result suggested by the exchange's report: the person takes it or chooses another. */
import './calls.css'
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { EndCause } from '#shared/voice-calls/voice-call-sets.ts'

export function CallHint({
  cause,
  result,
  onTake,
}: {
  cause: EndCause
  /** In the words of the form. */
  result: string
  onTake: () => void
}): ReactNode {
  const t = useText('calls')
  return (
    <p className="call-hint" role="status">
      {t('hint', { cause: t(`endCause.${cause}`) })}
      <Button size="small" text={t('take', { result })} onClick={onTake} />
    </p>
  )
}
