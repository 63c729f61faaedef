/** Before failed disbursements are sent again or given up: how many, how much, which of the chosen stay and why. Afterwards: what was refused. */
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { RefusedRows } from '#client/shell/RefusedRows.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { cancelDisbursement, type previewFailed, redisburse, TRANSFER_TYPES } from '#shared/orders/disbursement-api.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import type { Say } from '../order-words.ts'

export interface AskedRetry extends DataOf<typeof previewFailed> {
  action: InputOf<typeof previewFailed>['action']
}

type TransferType = (typeof TRANSFER_TYPES)[number]
const EXCLUDED_SHOWN = 6

export function RetryQuestion({ asked, onDone, onClose }: { asked: AskedRetry | null; onDone: () => void; onClose: () => void }): ReactNode {
  const { t } = useTranslation('orders')
  const say = t as unknown as Say
  const again = useSend(redisburse)
  const giveUp = useSend(cancelDisbursement)
  const typeId = useId()
  const [type, setType] = useState<TransferType | ''>('')
  const [failed, setFailed] = useState<BulkResult['failed']>([])
  const action = asked?.action ?? 'redisburse'
  const meant = asked === null ? [] : [...asked.ready, ...asked.toApprove]
  const none = asked !== null && meant.length === 0

  async function act(orderIds: string[], reason: string): Promise<void> {
    const result = action === 'redisburse' ? await again.mutateAsync({ orderIds, ...(type === '' ? {} : { transferType: type }) }) : { ...(await giveUp.mutateAsync({ orderIds, reason })), asked: [] }
    if (result.jobId !== undefined || result.ok.length > 0) void showMessage({ intent: 'success', message: result.jobId === undefined ? say(`wait.done.${action}`, { count: result.ok.length }) : t('wait.done.job'), key: 'wait' })
    if (result.asked.length > 0) void showMessage({ intent: 'primary', message: t('wait.done.asked', { count: result.asked.length }), key: 'wait-asked' })
    setFailed(result.failed)
    setType('')
    onDone()
  }
  return (
    <>
      <ConfirmAction
        isOpen={asked !== null && !none}
        intent={action === 'redisburse' ? 'primary' : 'danger'}
        title={t(`wait.ask.${action}`)}
        count={meant.length}
        amount={(asked?.amount ?? 0) + (asked?.toApproveAmount ?? 0)}
        irreversible={action === 'cancel' ? [t('cancel.final')] : []}
        {...(action === 'cancel' ? { reason: { min: 4, max: 200 } } : {})}
        confirmText={t(`wait.${action}`)}
        onConfirm={(reason) => act(meant, reason)}
        onClose={onClose}
      >
        {asked !== null && asked.toApprove.length > 0 && <p className="wait-approve">{t('wait.toApprove', { count: asked.toApprove.length, amount: formatPaise(asked.toApproveAmount) })}</p>}
        {asked !== null && asked.excluded.length > 0 && (
          <div className="wait-excluded">
            <p>{t('wait.excluded', { count: asked.excluded.length })}</p>
            <ul>
              {asked.excluded.slice(0, EXCLUDED_SHOWN).map(({ orderId, reason }) => <li key={orderId}><span className="tabular">{orderId}</span>: {say(`orders:rule.${reason}`)}</li>)}
              {asked.excluded.length > EXCLUDED_SHOWN && <li>{t('wait.andMore', { count: asked.excluded.length - EXCLUDED_SHOWN })}</li>}
            </ul>
          </div>
        )}
        {action === 'redisburse' && (
          <p className="wait-type">
            <label htmlFor={typeId}>{t('transfer.type')}</label>
            <span className="bp6-html-select">
              <select id={typeId} value={type} onChange={(event) => setType(event.target.value as TransferType | '')}>
                <option value="">{t('wait.byAmount')}</option>
                {TRANSFER_TYPES.map((one) => <option key={one} value={one}>{one}</option>)}
              </select>
              <span className="field-caret" aria-hidden="true" />
            </span>
          </p>
        )}
      </ConfirmAction>
      <RefusedRows
        failed={none ? asked.excluded.map(({ orderId, reason }) => ({ id: orderId, code: ORDER_RULE.code, msg: reason, problem: ORDER_RULE.id, params: { reason } })) : failed}
        onClose={() => {
          setFailed([])
          if (none) onClose()
        }}
      />
    </>
  )
}
