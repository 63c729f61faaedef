import { useText } from '#client/base/use-text.ts'
import { Button, ButtonGroup, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'

/** Button for the next review, with a menu for up to ten. */
export function ClaimNext({
  refused,
  free,
  busy,
  onClaim,
}: {
  refused: string | null
  free: number
  busy: boolean
  onClaim: (count: number) => Promise<void>
}): ReactNode {
  const t = useText('review')
  return (
    <ButtonGroup className="claim-next">
      <ActionButton
        intent="primary"
        icon="take-action"
        text={t('action.claimNext')}
        keys="G"
        disabledReason={refused}
        busy={busy}
        onClick={() => onClaim(1)}
      />
      <PopoverNext
        placement="bottom-end"
        content={
          <Menu aria-label={t('action.claimCount')}>
            {Array.from({ length: 10 }, (_, i) => i + 1).map((count) => (
              <MenuItem
                key={count}
                text={t('action.claimSome', { count })}
                disabled={count > free}
                onClick={() => void onClaim(count)}
              />
            ))}
          </Menu>
        }
      >
        <Button
          intent="primary"
          icon="caret-down"
          aria-label={t('action.claimCount')}
          title={t('action.claimCount')}
          disabled={refused !== null || busy}
        />
      </PopoverNext>
    </ButtonGroup>
  )
}
