import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { runNode } from '#shared/telemarketing/node-api.ts'
import { AudienceNumbers } from './AudiencePane.tsx'
import type { AudienceCount, MarketingNode } from './node-types.ts'

/** Runs a node, with whom it takes now and why others are left out. */
export function RunQuestion({
  node,
  count,
  onDone,
  onClose,
}: {
  node: MarketingNode
  count: AudienceCount
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('telemarketing')
  const run = useSend(runNode)
  return (
    <ConfirmAction
      isOpen
      intent="primary"
      title={t('node.askRun', { name: node.name })}
      confirmText={t('node.runNow')}
      count={count.taken}
      onConfirm={async () => {
        await run.mutateAsync({ nodeId: node.nodeId })
        void showMessage({ intent: 'success', message: t('node.started'), key: 'node-run' })
        onDone()
      }}
      onClose={onClose}
    >
      <div className="node-audience">
        <AudienceNumbers count={count} />
      </div>
    </ConfirmAction>
  )
}
