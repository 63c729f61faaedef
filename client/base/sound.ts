/**
 * Short tones for notifications, generated so that no file is loaded. Only one tab of this browser
 * plays them: the first to ask.
 */
import type { SoundKind } from '#shared/preferences/preference-sets.ts'

/** Two tones each: rising for arrivals, falling for departures and urgent news. */
const TONES: Readonly<Record<SoundKind, readonly [number, number]>> = {
  assigned: [660, 880],
  taken: [660, 495],
  handover: [587, 784],
  approval: [523, 784],
  decision: [784, 1047],
  sla: [880, 622],
  promise: [698, 523],
  job: [523, 659],
  system: [440, 440],
}
const TONE_S = 0.13
const LOUDNESS = 0.08
/** By then the other tabs have asked. */
const HOLD_MS = 1_500

let context: AudioContext | null = null

export function playSound(kind: SoundKind): void {
  void navigator.locks.request('sound', { ifAvailable: true }, async (lock) => {
    if (!lock) return
    context ??= new AudioContext()
    // Browsers suspend audio until the first user gesture.
    await context.resume().catch(() => undefined)
    const [first, second] = TONES[kind]
    tone(context, first, 0)
    tone(context, second, TONE_S)
    await new Promise((resolve) => setTimeout(resolve, HOLD_MS))
  })
}

function tone(audio: AudioContext, frequency: number, after: number): void {
  const from = audio.currentTime + after
  const oscillator = audio.createOscillator()
  const volume = audio.createGain()
  oscillator.frequency.value = frequency
  volume.gain.setValueAtTime(0, from)
  volume.gain.linearRampToValueAtTime(LOUDNESS, from + 0.015)
  volume.gain.exponentialRampToValueAtTime(0.0001, from + TONE_S)
  oscillator.connect(volume).connect(audio.destination)
  oscillator.start(from)
  oscillator.stop(from + TONE_S)
}
