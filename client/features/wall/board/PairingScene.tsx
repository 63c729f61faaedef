/** A code for a supervisor to type, and the same code as a QR picture for a telephone. */
import { useText } from '#client/base/use-text.ts'
import { QrPicture } from '#client/ui/value/QrPicture.tsx'
import type { WallState } from './wall-store.ts'

const BOARD_PATH = '/loaned_management/loaned_board'

export function PairingScene({ state }: { state: Exclude<WallState, { phase: 'board' }> }) {
  const t = useText('wall')
  if (state.phase === 'starting')
    return (
      <main className="pair">
        <p className="pair-lead" role="status">
          {t('pair.starting')}
        </p>
      </main>
    )
  const { code, wasPaired, isCut } = state
  return (
    <main className="pair">
      <p className="pair-lead" role="status">
        {isCut ? t('pair.cut') : wasPaired ? t('pair.unpaired') : t('pair.lead')}
      </p>
      <div className="pair-middle">
        <p
          className="pair-code"
          aria-label={code === null ? undefined : t('pair.code', { code: [...code].join(' ') })}
        >
          {code ?? '······'}
        </p>
        {code === null ? null : (
          <QrPicture
            text={`${location.origin}${BOARD_PATH}?pair=${code}`}
            label={t('pair.picture')}
            className="pair-qr"
          />
        )}
      </div>
      <p className="pair-how">{t('pair.how')}</p>
    </main>
  )
}
