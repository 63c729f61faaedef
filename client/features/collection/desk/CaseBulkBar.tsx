/** What can be done with the chosen cases of the work list and the pool. */
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { permits } from '#client/session/menu.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import type { ChosenRows } from '#client/ui/grid/use-grid-selection.ts'
import { createAiTasks } from '#shared/ai-calls/ai-calls-api.ts'
import { autoAllocate } from '#shared/collection/allocation-api.ts'
import { allocateCases, recallCases } from '#shared/collection/cases-api.ts'
import type { OpenForm } from './CaseForms.tsx'
import type { CaseRow, CaseTab } from './case-types.ts'

export interface BulkRights {
  allocate: boolean
  plan: boolean
  recall: boolean
  aiCalls: boolean
}

export function useBulkRights(): BulkRights {
  const { index } = useSession()
  return {
    allocate: usePermission(allocateCases.access),
    plan: usePermission(autoAllocate.access),
    recall: usePermission(recallCases.access),
    // a right of the robot's own screen
    aiCalls: permits(
      createAiTasks.access,
      index.byName.get('ai_call_config')?.btnPermissions ?? [],
    ),
  }
}

export function CaseBulkBar({
  picked,
  tab,
  rights,
  onForm,
  onDesk,
}: {
  picked: ChosenRows<CaseRow>
  tab: CaseTab
  rights: BulkRights
  onForm: (form: OpenForm) => void
  onDesk: (rows: readonly CaseRow[]) => void
}): ReactNode {
  const t = useText('collection')
  const { reason: offline } = useConnection()
  return (
    <>
      {rights.allocate && (
        <ActionButton
          icon="swap-horizontal"
          text={t('desk.allocate')}
          disabledReason={offline}
          onClick={() => picked.take((rows) => onForm({ form: 'allocate', rows }))}
        />
      )}
      {rights.plan && tab === 'toAllocate' && (
        <ActionButton
          icon="send-to"
          text={t('desk.toDesk')}
          keys="A"
          disabledReason={offline}
          onClick={() => picked.take(onDesk)}
        />
      )}
      {rights.recall && tab === 'toFollow' && (
        <ActionButton
          icon="undo"
          text={t('desk.recall')}
          disabledReason={offline}
          onClick={() => picked.take((rows) => onForm({ form: 'recall', rows }))}
        />
      )}
      {rights.aiCalls && (
        <ActionButton
          icon="phone-call"
          text={t('desk.tab.aiCalls')}
          disabledReason={offline}
          onClick={() => picked.take((rows) => onForm({ form: 'aiCalls', rows }))}
        />
      )}
    </>
  )
}
