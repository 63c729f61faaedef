/** A status by colour and text, never by colour alone. */
import './tag.css'
import type { ReactNode } from 'react'

export const TONES = ['good', 'warn', 'bad', 'info', 'neutral'] as const
export type Tone = (typeof TONES)[number]

/** The tone of a code from a closed set; a code unknown to this build is neutral. */
export const toneOf =
  (tones: Readonly<Record<string, Tone>>) =>
  (code: string | number): Tone =>
    tones[code] ?? 'neutral'

export function StatusTag({
  tone,
  children,
  title,
}: {
  tone: Tone
  children: ReactNode
  title?: string
}): ReactNode {
  return (
    <span className={`tag tone-${tone}`} title={title}>
      {children}
    </span>
  )
}

/** Collection stages, early to late. */
export const STAGES = ['T0', 'T1', 'T2', 'S1', 'S2', 'M1', 'M2', 'M3'] as const
export type Stage = (typeof STAGES)[number]

export function StageTag({ stage }: { stage: Stage }): ReactNode {
  return <span className={stageClass(stage)}>{stage}</span>
}

/** Class names of a stage chip, outside React (grid cells). */
export function stageClass(stage: string): string {
  return (STAGES as readonly string[]).includes(stage)
    ? `tag stage stage-${stage.toLowerCase()}`
    : 'tag tone-neutral'
}
