/** /detail3: one case on its own page, with a way to the next due case. */
import { useText } from '#client/base/use-text.ts'
import '../collection.css'
import './case.css'
import type { ReactNode } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { call } from '#client/session/call.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { useGoBack } from '#client/screen/use-go-back.ts'
import { followCase, listCases } from '#shared/collection/cases-api.ts'
import { CasePanel } from './CasePanel.tsx'
import { findNext } from './find-next.ts'
import { casePath } from '#shared/collection/case-path.ts'

export function Screen(): ReactNode {
  const t = useText('collection')
  const [, navigate] = useLocation()
  const [params] = useSearchParams()
  const worksHere = usePermission(followCase.access)
  const goBack = useGoBack('pedding_list')
  const caseId = params.get('caseId') ?? ''
  /** The first due case of the work list that may be contacted, but for this one. */
  async function next(): Promise<void> {
    const { rows } = await call(listCases, { tab: 'toFollow', view: 'dueNow', pageSize: 50 })
    const { caseId: following } = await findNext(rows.filter((row) => row.caseId !== caseId))
    if (following !== null) navigate(casePath(following, params.get('from') ?? 'pedding_list'))
    else void showMessage({ intent: 'primary', message: t('desk.noneDue'), key: 'next-case' })
  }
  return (
    <div className="case-page">
      <CasePanel
        caseId={caseId}
        onBack={goBack}
        {...(worksHere ? { onNext: () => void next().catch(() => undefined) } : {})}
      />
    </div>
  )
}
