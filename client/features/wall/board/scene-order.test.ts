import { expect, test } from 'vitest'
import { nextTurn, sceneAt, type Turn, turnTo } from './scene-order.ts'

test.each([1, 2, 3, 4])(
  'a round of %i scenes shows each once, none twice in a row, and from three scenes on starts with another one',
  (scenes) => {
    let turn: Turn = { round: 0, step: 0 }
    const shown = Array.from({ length: scenes * scenes * 2 }, () => {
      const scene = sceneAt(turn, scenes)
      turn = nextTurn(turn, scenes)
      return scene
    })
    const rounds = Array.from({ length: scenes * 2 }, (_, n) =>
      shown.slice(n * scenes, (n + 1) * scenes),
    )
    for (const round of rounds)
      expect(round.toSorted()).toEqual(Array.from({ length: scenes }, (_, n) => n))
    if (scenes > 1) expect(shown.filter((scene, n) => scene === shown[n - 1])).toEqual([])
    expect(new Set(rounds.map(([first]) => first)).size).toBe(scenes < 3 ? 1 : scenes)
  },
)

test('a key shows the scene it names in every round', () => {
  for (const round of [0, 1, 2, 3])
    for (const scene of [0, 1, 2, 3])
      expect(sceneAt(turnTo({ round, step: 2 }, scene, 4), 4)).toBe(scene)
})
