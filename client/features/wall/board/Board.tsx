/**
 * The board: one scene at a time under a header that shows the age of its figures. Keys: ← → scene,
 * Space pauses, F full screen, P distance.
 */
import { type ReactNode, useEffect, useState } from 'react'
import { currentLanguage, i18n } from '#client/base/i18n.ts'
import { type Text, useText } from '#client/base/use-text.ts'
import { formatPaiseShort } from '#shared/kernel/money.ts'
import { istClock } from '#shared/kernel/time.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import {
  WALL_PROFILES,
  WALL_SCENES,
  type WallProfile,
  type WallScene,
} from '#shared/wall/wall-sets.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import type { WallAddress } from './address.ts'
import { AlertBand } from './AlertBand.tsx'
import { isAsleep, sleeperAt } from './comfort.ts'
import { ageParts, type Freshness, freshnessOf } from './freshness.ts'
import { nextTurn, sceneAt, turnTo } from './scene-order.ts'
import { ContactsScene } from './scenes/ContactsScene.tsx'
import { QueuesScene } from './scenes/QueuesScene.tsx'
import { TeamsScene } from './scenes/TeamsScene.tsx'
import { TodayScene } from './scenes/TodayScene.tsx'
import type { WallState } from './wall-store.ts'
import { minutesText, minutesToCutOff } from '../waited.ts'

const SCENES: Record<
  WallScene,
  (scene: { figures: BoardFigures; now: number; profile: WallProfile }) => ReactNode
> = { today: TodayScene, teams: TeamsScene, contacts: ContactsScene, queues: QueuesScene }
const ROTATE_SEC = 20
/** The widest text of minutes reserves the space, so that nothing beside it moves. */
const WIDEST = 99

export function Board({
  address,
  state,
  profile: given,
}: {
  address: WallAddress
  state: Extract<WallState, { phase: 'board' }>
  profile: WallProfile
}) {
  const t = useText('wall')
  const { figures, receivedAt, offset } = state
  const settings = figures.screen?.settings ?? null
  const scenes = settings?.scenes ?? WALL_SCENES
  const [turn, setTurn] = useState(() => ({
    round: 0,
    step: Math.max(0, address.scene === null ? 0 : scenes.indexOf(address.scene)),
  }))
  const [held, setHeld] = useState(address.scene !== null)
  const [chosen, setChosen] = useState<WallProfile | null>(null)
  const now = useSecond() + offset
  const freshness = freshnessOf(receivedAt, now - offset)
  const profile = chosen ?? given
  const at = sceneAt(turn, scenes.length)
  const scene = scenes[at] ?? 'today'
  const rotateMs = (address.rotateSec ?? settings?.rotateSec ?? ROTATE_SEC) * 1_000
  const Scene = SCENES[scene]

  // restarted by each change of scene, so that a scene chosen by key is shown for its full time
  useEffect(() => {
    if (held || scenes.length < 2) return
    const timer = setTimeout(() => setTurn((now) => nextTurn(now, scenes.length)), rotateMs)
    return () => clearTimeout(timer)
  }, [turn, held, rotateMs, scenes.length])
  useEffect(() => {
    // keys follow the order of the settings; only the automatic order varies
    const step = (by: number) =>
      setTurn((now) =>
        turnTo(
          now,
          (sceneAt(now, scenes.length) + by + scenes.length) % scenes.length,
          scenes.length,
        ),
      )
    const keys: Record<string, () => void> = {
      ArrowRight: () => step(1),
      ArrowLeft: () => step(-1),
      Space: () => setHeld((now) => !now),
      KeyF: () =>
        void (
          document.fullscreenElement
            ? document.exitFullscreen()
            : document.documentElement.requestFullscreen()
        ).catch(() => undefined),
      KeyP: () =>
        setChosen(
          (now) =>
            WALL_PROFILES[(WALL_PROFILES.indexOf(now ?? given) + 1) % WALL_PROFILES.length] ??
            'mid',
        ),
    }
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.code]) return
      event.preventDefault()
      keys[event.code]?.()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [scenes.length, given])
  const language = address.language ?? settings?.language ?? null
  useEffect(() => {
    if (language !== null && currentLanguage() !== language) void i18n.changeLanguage(language)
  }, [language])

  if (settings !== null && isAsleep(now, settings)) return <Sleeper now={now} />
  return (
    <div className="board" data-profile={profile} data-fresh={freshness.kind}>
      <header className="board-head">
        <h1>
          <span className="board-unit">
            {figures.scope.name ?? t('board.company')}
            {figures.scope.stageId === null ? '' : ` ${figures.scope.stageId}`}
          </span>
          {` · ${t(`scene.${scene}`)}`}
        </h1>
        <FreshnessMark freshness={freshness} />
        <time className="board-clock">{istClock(now)}</time>
        <span className="board-zone">IST</span>
        <span
          className="board-cut-off"
          data-widest={t('board.cutOff', { left: minutesText(WIDEST, t) })}
        >
          {t('board.cutOff', { left: minutesText(minutesToCutOff(now), t) })}
        </span>
      </header>
      {freshness.kind === 'red' ? (
        <p className="band is-stale" role="alert">
          {t('fresh.old', { age: ageText(t, freshness.seconds) })}
        </p>
      ) : (
        <AlertBand alerts={figures.alerts} />
      )}
      <main className="scene" key={scene}>
        <Scene figures={figures} now={now} profile={profile} />
      </main>
      <footer className="board-foot">
        <span>
          {t('foot.onDuty', {
            online: formatCount(figures.tiles.online),
            onDuty: formatCount(figures.tiles.onDuty),
          })}
        </span>
        <span className="board-foot-more">
          {t('foot.open', {
            count: figures.tiles.openCases,
            shown: formatCount(figures.tiles.openCases),
          })}{' '}
          · {formatPaiseShort(figures.tiles.outstanding)}
        </span>
        <span
          className="dots"
          role="img"
          aria-label={t('foot.scene', { n: at + 1, of: scenes.length })}
        >
          {held ? <span className="held" /> : null}
          {at + 1}/{scenes.length}{' '}
          {scenes.map((name, n) => (
            <i key={name} className={n === at ? 'is-on' : ''} />
          ))}
        </span>
      </footer>
    </div>
  )
}

const MINUTE_MS = 60_000

/** A dark picture with only the clock, which moves each minute. */
function Sleeper({ now }: { now: number }) {
  const [x, y] = sleeperAt(Math.floor(now / MINUTE_MS))
  return (
    <div className="sleeper">
      <time style={{ left: `${x}%`, top: `${y}%`, transform: `translate(-${x}%, -${y}%)` }}>
        {istClock(now)}
      </time>
    </div>
  )
}

function FreshnessMark({ freshness }: { freshness: Freshness }) {
  const t = useText('wall')
  const age = ageText(t, freshness.seconds)
  return (
    <span className={`fresh is-${freshness.kind}`}>
      {freshness.kind === 'live' ? `● ${t('fresh.live', { age })}` : `▲ ${age}`}
    </span>
  )
}

function ageText(t: Text, seconds: number): string {
  const { unit, count } = ageParts(seconds)
  return t(`age.${unit}`, { n: count })
}

/** This device's clock, each second. */
function useSecond(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
