import { Button, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { failureText } from '#client/ui/feedback/failure.ts'

/** One application, by its id or by that of its customer. */
type Target = { userId: string } | { orderId: string }

/** Input for an application, with its judgement. */
export function ApplicationTest<Result>({
  run,
  isRunning,
  children,
}: {
  run: (target: Target) => Promise<Result>
  isRunning: boolean
  children: (result: Result) => ReactNode
}): ReactNode {
  const t = useText('rules')
  const [which, setWhich] = useState('')
  const [failure, setFailure] = useState<unknown>(null)
  const [result, setResult] = useState<Result | null>(null)
  const id = which.trim()
  async function submit(): Promise<void> {
    setFailure(null)
    try {
      // ids of customers begin with a C
      setResult(await run(/^c/i.test(id) ? { userId: id } : { orderId: id }))
    } catch (error) {
      setResult(null)
      setFailure(error)
    }
  }
  return (
    <section aria-label={t('rule.test.title')}>
      <h3>{t('rule.test.title')}</h3>
      <p className="rule-facts">{t('rule.test.means')}</p>
      <form
        className="rule-test"
        onSubmit={(event) => {
          event.preventDefault()
          if (id !== '') void submit()
        }}
      >
        <InputGroup
          aria-label={t('rule.test.which')}
          placeholder={t('rule.test.which')}
          value={which}
          onValueChange={setWhich}
        />
        <Button
          type="submit"
          icon="play"
          text={t('rule.test.run')}
          loading={isRunning}
          disabled={id === ''}
        />
      </form>
      {failure !== null && (
        <p className="fault" role="alert">
          {failureText(failure)}
        </p>
      )}
      {result !== null && children(result)}
    </section>
  )
}
