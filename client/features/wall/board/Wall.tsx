import { useEffect, useRef } from 'react'
import { useStore } from '#client/base/store.ts'
import type { WallAddress } from './address.ts'
import { Board } from './Board.tsx'
import { startComfort } from './comfort.ts'
import { PairingScene } from './PairingScene.tsx'
import { serverNow, wallStore } from './wall-store.ts'

export function Wall({ address }: { address: WallAddress }) {
  const state = useStore(wallStore)
  const layer = useRef<HTMLDivElement>(null)
  const profile =
    address.profile ??
    (state.phase === 'board' ? state.figures.screen?.settings.profile : null) ??
    'mid'
  const theme =
    address.theme ??
    (state.phase === 'board' ? state.figures.screen?.settings.theme : null) ??
    'dark'
  const knowsTime = state.phase === 'board'
  useEffect(
    () => (layer.current ? startComfort(layer.current, serverNow, knowsTime) : undefined),
    [knowsTime],
  )
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  return (
    <div className="wall" data-profile={profile} ref={layer}>
      {state.phase === 'board' ? (
        <Board address={address} state={state} profile={profile} />
      ) : (
        <PairingScene state={state} />
      )}
    </div>
  )
}
