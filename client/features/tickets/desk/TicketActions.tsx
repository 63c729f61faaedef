import { useText } from '#client/base/use-text.ts'
import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ACTION_ICONS } from '../list/ticket-row-actions.ts'
import type { ActionNow, TicketActionId } from '../ticket-rules.ts'
import type { TicketRow } from '../ticket-types.ts'

interface TicketActionsProps {
  ticket: TicketRow
  actions: readonly ActionNow[]
  /** A claim request is pending. */
  busy: boolean
  offline: string | null
  onPress: (id: TicketActionId) => void
}

/**
 * Buttons in the order of the work, the less frequent ones in a menu. A pending hand-over is
 * decided in the banner.
 */
const SHOWN = ['claim', 'withdraw', 'reopen', 'resolve', 'transfer', 'superior'] as const
const MORE = ['release', 'assign', 'stop'] as const
const KEYS: Partial<Record<TicketActionId, string>> = {
  claim: 'C',
  resolve: 'E',
  transfer: 'H',
  superior: 'X',
}

export function TicketActions({
  ticket,
  actions,
  busy,
  offline,
  onPress,
}: TicketActionsProps): ReactNode {
  const t = useText('tickets')
  const refusalOf = ({ refusal }: ActionNow) =>
    refusal === null ? offline : t(`refused.${refusal.key}`, { name: ticket.processorName ?? '' })
  const shown = SHOWN.flatMap((id) => actions.find((action) => action.id === id) ?? [])
  const more = MORE.flatMap((id) => actions.find((action) => action.id === id) ?? [])
  if (shown.length + more.length === 0) return null
  return (
    <div className="ticket-actions">
      {shown.map((action) => (
        <ActionButton
          key={action.id}
          size="small"
          icon={ACTION_ICONS[action.id]}
          intent={action.id === 'claim' ? 'primary' : 'none'}
          text={t(`action.${action.id}`)}
          keys={KEYS[action.id]}
          busy={busy && action.id === 'claim'}
          disabledReason={refusalOf(action)}
          onClick={() => onPress(action.id)}
        />
      ))}
      {more.length > 0 && (
        <PopoverNext
          placement="bottom-end"
          content={
            <Menu aria-label={t('action.more')}>
              {more.map((action) => {
                const refusal = refusalOf(action)
                return (
                  <MenuItem
                    key={action.id}
                    icon={ACTION_ICONS[action.id]}
                    text={t(`action.${action.id}`)}
                    disabled={refusal !== null}
                    labelElement={
                      refusal === null ? undefined : <span className="menu-reason">{refusal}</span>
                    }
                    onClick={() => onPress(action.id)}
                  />
                )
              })}
            </Menu>
          }
        >
          <Button size="small" icon="more" aria-label={t('action.more')} title={t('action.more')} />
        </PopoverNext>
      )}
    </div>
  )
}
