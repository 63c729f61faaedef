/**
 * Ways to end a loan, or part of it, other than by paying as agreed. They are used less often, so
 * one button in the head of the detail holds them.
 */
import { useText } from '#client/base/use-text.ts'
import { Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { serverNow } from '#client/session/server-clock.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { cureRefusal, exitRefusal, reduceRefusal, writeOffRefusal } from './forms/payment-rules.ts'
import { CureForm, ReduceForm, RepaymentForm } from './lazy-forms.ts'
import { codeWord } from './payment-words.ts'

const WriteOffForm = lazy(() =>
  import('./writeoffs/WriteOffForm.tsx').then((m) => ({ default: m.WriteOffForm })),
)

export interface SettleMenuProps {
  orderId: string
  status: number
  /** ISO 8601; null = not paid out yet; left out where the exit is not offered */
  coolingOffUntil?: string | null
  /** Lifecycle events the caller may send, where the server said so */
  allowed?: readonly string[]
}

export function SettleMenu({
  orderId,
  status,
  coolingOffUntil,
  allowed,
}: SettleMenuProps): ReactNode {
  const t = useText('repayments')
  const { reason: offline } = useConnection()
  const [open, setOpen] = useState<'reduce' | 'writeOff' | 'cure' | 'coolingOff' | null>(null)
  // an action the server does not allow is refused in every status
  const refusalOf = (events: readonly string[], refused: string | null, otherwise: string) =>
    refused ?? (allowed?.some((event) => events.includes(event)) === false ? otherwise : null)
  const all = [
    {
      id: 'reduce',
      icon: 'arrow-down',
      may: usePermission(['reduce_list:launch', 'pedding_list:reduce']),
      refused: reduceRefusal(status),
    },
    {
      id: 'writeOff',
      icon: 'confirm',
      may: usePermission(['flat_management:launch', 'flat_management:operational']),
      refused: refusalOf(
        ['OPS_WRITE_OFF', 'PAY_SUBMITTED', 'BATCH_WRITE_OFF'],
        writeOffRefusal(status),
        'repayments:refused.nothingDue',
      ),
    },
    {
      id: 'cure',
      icon: 'calendar',
      may: usePermission(['order_list:cure']),
      refused: refusalOf(['CURE'], cureRefusal(status), 'repayments:refused.notBad'),
    },
    {
      id: 'coolingOff',
      icon: 'undo',
      may: usePermission(['order_list:coolingOff']),
      refused: refusalOf(
        ['COOLING_OFF_EXIT'],
        exitRefusal(status, coolingOffUntil ?? null, serverNow()),
        'repayments:refused.coolingOff',
      ),
    },
  ] as const
  const items = all.filter(
    ({ id, may }) => may && (id !== 'coolingOff' || coolingOffUntil !== undefined),
  )
  if (items.length === 0) return null
  const form = { orderId, onClose: () => setOpen(null) }
  return (
    <>
      <PopoverNext
        placement="bottom-end"
        content={
          <Menu aria-label={t('action.settle')}>
            {items.map(({ id, icon, refused }) => {
              const reason = refused === null ? offline : t(refused)
              return (
                <MenuItem
                  key={id}
                  icon={icon}
                  text={id === 'coolingOff' ? codeWord('type', id, t) : t(`action.${id}`)}
                  disabled={reason !== null}
                  labelElement={
                    reason === null ? undefined : <span className="menu-reason">{reason}</span>
                  }
                  onClick={() => setOpen(id)}
                />
              )
            })}
          </Menu>
        }
      >
        <ActionButton
          variant="minimal"
          icon="endorsed"
          endIcon="caret-down"
          text={t('action.settle')}
        />
      </PopoverNext>
      <Suspense fallback={null}>
        {open === 'reduce' ? (
          <ReduceForm {...form} />
        ) : open === 'writeOff' ? (
          <WriteOffForm {...form} />
        ) : open === 'cure' ? (
          <CureForm {...form} />
        ) : open === 'coolingOff' ? (
          <RepaymentForm {...form} type="coolingOff" />
        ) : null}
      </Suspense>
    </>
  )
}
