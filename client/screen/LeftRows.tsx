import './refused-rows.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'

/** How many of the selected rows the action does not apply to. */
export function LeftRows({ count = 0 }: { count?: number | undefined }): ReactNode {
  const t = useText('ui')
  return count > 0 ? <p className="left-rows">{t('bulk.left', { count })}</p> : null
}
