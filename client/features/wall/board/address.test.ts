import { expect, test } from 'vitest'
import { readAddress } from './address.ts'

test('a URL sets distance, pace, theme, scene and language', () => {
  expect(readAddress('?profile=far&rotate=30&theme=light&scene=teams&lang=th')).toEqual({
    profile: 'far',
    rotateSec: 30,
    theme: 'light',
    scene: 'teams',
    language: 'th',
  })
})

test.each([
  '',
  '?profile=huge&rotate=4&theme=pink&scene=all&lang=xx',
  '?rotate=601',
  '?rotate=abc',
  '?rotate=12.5',
])('%s sets nothing', (search) => {
  expect(readAddress(search)).toEqual({
    profile: null,
    rotateSec: null,
    theme: null,
    scene: null,
    language: null,
  })
})
