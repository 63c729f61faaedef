/** Tasks for chosen loans: the configuration, and the order numbers as they are pasted. */
import './ai-calls.css'
import { TextArea } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useFormBulk } from '#client/screen/use-form-bulk.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { createAiTasks } from '#shared/ai-calls/ai-calls-api.ts'
import { ordersNamedIn } from '#shared/repayments/order-ids.ts'
import type { AiOptions } from './ai-types.ts'
import { ConfigChoice } from './ConfigChoice.tsx'

export function CreateForm({
  configs,
  onDone,
  onClose,
}: {
  configs: AiOptions['configs']
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('robot')
  const send = useSend(createAiTasks, { quiet: true })
  const bulk = useFormBulk({
    key: 'aiTasks',
    done: (n) => t('done.created', { n }),
    onDone,
    onClose,
  })
  const enabled = configs.filter(({ status }) => status === 'enabled')
  const [chosen, setChosen] = useState<string | null>(null)
  // the configurations may arrive after the form was opened
  const configId = chosen ?? enabled[0]?.configId ?? ''
  const [list, setList] = useState('')
  const { orderIds } = ordersNamedIn(list)

  async function confirm(): Promise<void> {
    if (orderIds.length === 0 || configId === '') {
      const message = t(configId === '' ? 'form.noConfig' : 'form.noOrders')
      void showMessage({ intent: 'warning', message, key: 'aiTasks' })
      throw new Error('nothing is asked for')
    }
    await bulk.run(orderIds, (ids) => send.mutateAsync({ configId, orderIds: ids }))
  }
  return (
    <>
      <ConfirmAction
        isOpen={bulk.isOpen}
        intent="primary"
        title={t('create')}
        {...(orderIds.length > 0 && { count: orderIds.length })}
        confirmText={t('create')}
        onConfirm={confirm}
        onClose={bulk.leave}
      >
        <ConfigChoice configs={enabled} value={configId} onChange={setChosen} />
        <label className="ai-create">
          <span>{t('form.orders')}</span>
          <TextArea
            fill
            rows={6}
            value={list}
            placeholder="L10000001"
            onChange={(event) => setList(event.currentTarget.value)}
          />
        </label>
        <p className="ai-help">{t('form.ownNumber')}</p>
      </ConfirmAction>
      {bulk.drawer}
    </>
  )
}
