import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { useSend } from '#client/session/query.ts'
import { setDistribution } from '#shared/tickets/tickets-api.ts'

/** The person's own switch of automatic distribution. */
export function OwnSwitch({
  userId,
  isOn,
  onTurned,
}: {
  userId: string
  isOn: boolean
  onTurned: () => void
}): ReactNode {
  const t = useText('tickets')
  const { reason: offline } = useConnection()
  const send = useSend(setDistribution)
  const shown = send.isPending ? !isOn : isOn
  return (
    <label className="check own-switch" title={t('takers.ownHelp')}>
      <input
        type="checkbox"
        role="switch"
        checked={shown}
        disabled={offline !== null || send.isPending}
        onChange={() =>
          void send.mutateAsync({ userId, status: isOn ? 0 : 1 }).then(onTurned, onTurned)
        }
      />
      {t('takers.own')}
    </label>
  )
}
