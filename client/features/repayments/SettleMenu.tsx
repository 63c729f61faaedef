/**
 * Ways to end a loan, or part of it, other than by paying as agreed. They are used less often, so
 * one button in the head of the detail holds them.
 */
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { serverNow } from '#client/session/server-clock.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { exitCoolingOff } from '#shared/repayments/cooling-off-api.ts'
import { launchReduction } from '#shared/repayments/reductions-api.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import { launchWriteOff } from '#shared/repayments/write-offs-api.ts'
import { cureRefusal, exitRefusal, reduceRefusal, writeOffRefusal } from './forms/payment-rules.ts'
import { CureForm, ReduceForm, RepaymentForm } from './lazy-forms.ts'
import { codeWord } from './payment-words.ts'

const WriteOffForm = lazyPart(() =>
  import('./writeoffs/WriteOffForm.tsx').then((m) => ({ default: m.WriteOffForm })),
)

export interface SettleMenuProps {
  orderId: string
  status: number
  /** ISO 8601; null = not paid out yet; left out where the exit is not offered */
  coolingOffUntil?: string | null
  /** Lifecycle events the caller may send, as answered by the server */
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
      may: usePermission(launchReduction.access),
      refused: reduceRefusal(status),
    },
    {
      id: 'writeOff',
      icon: 'confirm',
      may: usePermission(launchWriteOff.access),
      refused: refusalOf(
        ['OPS_WRITE_OFF', 'PAY_SUBMITTED', 'BATCH_WRITE_OFF'],
        writeOffRefusal(status),
        'repayments:refused.nothingDue',
      ),
    },
    {
      id: 'cure',
      icon: 'calendar',
      may: usePermission(cureOrder.access),
      refused: refusalOf(['CURE'], cureRefusal(status), 'repayments:refused.notBad'),
    },
    {
      id: 'coolingOff',
      icon: 'undo',
      may: usePermission(exitCoolingOff.access),
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
      {open === 'reduce' ? (
        <ReduceForm {...form} />
      ) : open === 'writeOff' ? (
        <WriteOffForm {...form} />
      ) : open === 'cure' ? (
        <CureForm {...form} />
      ) : open === 'coolingOff' ? (
        <RepaymentForm {...form} type="coolingOff" />
      ) : null}
    </>
  )
}
