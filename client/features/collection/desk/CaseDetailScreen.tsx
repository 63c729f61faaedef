/** /detail3: one case on a page of its own. */
import '../collection.css'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { CasePanel } from './CasePanel.tsx'

export function Screen(): ReactNode {
  const [params] = useSearchParams()
  return (
    <div className="case-page">
      <CasePanel caseId={params.get('caseId') ?? ''} />
    </div>
  )
}
