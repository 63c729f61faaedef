/** A code for a supervisor to type, and the same code as a QR picture for a telephone. */
import { useEffect, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
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
        {code === null ? null : <Picture text={`${location.origin}${BOARD_PATH}?pair=${code}`} />}
      </div>
      <p className="pair-how">{t('pair.how')}</p>
    </main>
  )
}

/** The QR picture, drawn as one path; its library is loaded only here. */
function Picture({ text }: { text: string }) {
  const t = useText('wall')
  const [drawn, setDrawn] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    let gone = false
    void import('qrcode').then(
      ({ default: qrcode }) => {
        const { data, size } = qrcode.create(text, { errorCorrectionLevel: 'M' }).modules
        const path = [...data]
          .map((dark, at) => (dark ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : ''))
          .join('')
        if (!gone) setDrawn({ size, path })
      },
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [text])
  if (!drawn) return null
  return (
    <svg
      className="pair-qr"
      viewBox={`-2 -2 ${drawn.size + 4} ${drawn.size + 4}`}
      role="img"
      aria-label={t('pair.picture')}
    >
      <path d={drawn.path} />
    </svg>
  )
}
