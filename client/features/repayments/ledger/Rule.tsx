import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'

/**
 * The sentence of a ledger rule and its code, so that engineers can look it up. A proof of an older
 * release may name a rule that no longer exists.
 */
export function Rule({ code }: { code: string }): ReactNode {
  const t = useText('proof')
  return (
    <>
      {(t as (key: string, given: { defaultValue: string }) => string)(`rule.${code}`, {
        defaultValue: '',
      })}
      {'\u00a0'}
      <code className="books-code">{code}</code>
    </>
  )
}
