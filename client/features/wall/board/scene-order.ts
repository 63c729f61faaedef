/** Order of the scenes: each round starts with another one, to avoid burn-in. */
export interface Turn {
  round: number
  step: number
}

/** Scenes from which the order varies: with two, a shift would show one scene twice in a row. */
const FEWEST = 3

const shiftOf = (round: number, scenes: number): number => (scenes < FEWEST ? 0 : round % scenes)

/** @returns index in the order of the settings */
export function sceneAt({ round, step }: Turn, scenes: number): number {
  return (step + shiftOf(round, scenes)) % scenes
}

export function nextTurn({ round, step }: Turn, scenes: number): Turn {
  return step + 1 < scenes ? { round, step: step + 1 } : { round: (round + 1) % scenes, step: 0 }
}

/** The same round, at the requested scene. */
export function turnTo({ round }: Turn, scene: number, scenes: number): Turn {
  return { round, step: (scene - shiftOf(round, scenes) + scenes) % scenes }
}
