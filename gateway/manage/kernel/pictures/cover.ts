/** Where the number of an Aadhaar card is. */

interface Size {
  width: number
  height: number
}

/**
 * On a card of 85.6 by 54 mm the number begins at about 0.72 of the height, and the 16 digits of the
 * virtual ID below it end near the edge.
 */
const CARD = { shape: 54 / 85.6, from: 0.68 }
const TO = 0.96

/**
 * The rows that are covered, over the full width. The app's camera frame centres the card: it fills
 * the height of a wide picture, and the width of any other. Everything down to the edge is covered,
 * because a card may lie lower than the frame says, and what the desk needs (name, date of birth, sex,
 * address) is above.
 */
export function coverOf({ width, height }: Size): { top: number; bottom: number } {
  const card = Math.min(height, width * CARD.shape)
  return { top: Math.floor((height - card) / 2 + card * CARD.from), bottom: Math.ceil(height * TO) }
}
