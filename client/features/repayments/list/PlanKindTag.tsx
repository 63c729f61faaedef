import { Tag } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { PlanRow } from '../payment-types.ts'

/** Names a row of an EMI plan that is no instalment. */
export function PlanKindTag({ kind }: Pick<PlanRow, 'kind'>): ReactNode {
  const t = useText('repayments')
  return kind === 'instalment' ? null : <Tag minimal>{t(`planKind.${kind}`)}</Tag>
}
