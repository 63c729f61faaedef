/** Tasks for cases chosen in a list; the list shows the outcome of each. */
import './ai-calls.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { Bulk } from '#client/screen/use-bulk.tsx'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { aiCallOptions, createAiTasks } from '#shared/ai-calls/ai-calls-api.ts'
import { ConfigChoice } from './ConfigChoice.tsx'

export function CallCases({
  caseIds,
  run,
  onClose,
}: {
  caseIds: readonly string[]
  run: Bulk['run']
  onClose: () => void
}): ReactNode {
  const t = useText('robot')
  const send = useSend(createAiTasks, { quiet: true })
  const { data } = useQuery(queryOf(aiCallOptions, {}))
  const enabled = (data?.configs ?? []).filter(({ status }) => status === 'enabled')
  const [chosen, setChosen] = useState<string | null>(null)
  const configId = chosen ?? enabled[0]?.configId ?? ''

  async function confirm(): Promise<void> {
    if (configId === '') {
      void showMessage({ intent: 'warning', message: t('form.noConfig'), key: 'aiTasks' })
      throw new Error('no configuration is enabled')
    }
    await run(
      caseIds,
      (ids) => send.mutateAsync({ configId, caseIds: ids }),
      false,
      (n) => t('done.created', { n }),
    )
  }
  return (
    <ConfirmAction
      isOpen
      intent="primary"
      title={t('menu.ai_call_config')}
      count={caseIds.length}
      confirmText={t('create')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <ConfigChoice configs={enabled} value={configId} onChange={setChosen} />
      <p className="ai-help">{t('form.ownNumber')}</p>
    </ConfirmAction>
  )
}
