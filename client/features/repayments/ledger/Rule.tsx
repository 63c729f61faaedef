import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** What a rule of the books says, and its code for whoever looks it up; a proof of an older release may name one that is gone. */
export function Rule({ code }: { code: string }): ReactNode {
  const { t } = useTranslation('proof')
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
