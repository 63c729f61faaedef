/** Where an Aadhaar card carries its number. */

interface Size {
  width: number
  height: number
}

/**
 * Of a card, which is 85.6 by 54 mm: the number begins at about 0.72 of its height, and the virtual
 * id below, 16 digits more, ends near its edge.
 */
const CARD = { shape: 54 / 85.6, from: 0.68 }
const TO = 0.96

/**
 * The rows that are covered, over the full width. The app's frame lays the card across the picture
 * and in its middle: it fills the height of a broad picture, the width of any other. Down to the
 * edge, since a card may lie lower than it should: too much rather than too little, for what the
 * desk needs (name, day, sex, address) stands above.
 */
export function coverOf({ width, height }: Size): { top: number; bottom: number } {
  const card = Math.min(height, width * CARD.shape)
  return { top: Math.floor((height - card) / 2 + card * CARD.from), bottom: Math.ceil(height * TO) }
}
