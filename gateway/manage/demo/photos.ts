/**
 * Drawn documents in place of photos: they look like what they stand for and show nobody. Numbers
 * are drawn masked, as redacted copies are.
 */
import type { PHOTO_KINDS } from '#shared/customers/customer-sections.ts'
import { maskAadhaar, maskPan } from '#gateway/manage/features/customers/public.ts'
import type { Extraction } from './extraction.ts'
import type { Person } from './people.ts'
import type { Rng } from './random.ts'

export type PhotoKind = (typeof PHOTO_KINDS)[number]

/** @returns an SVG per kind */
export function drawPhotos(person: Person, read: Extraction, rng: Rng): Record<PhotoKind, string> {
  const face = drawFace(rng, person.sex)
  return {
    pan: card(
      '#cfe3f5',
      `${title('INCOME TAX DEPARTMENT', '#1f4e79')}${portrait(face, 40, 190)}${lines(270, 200, [
        ['Name', read.panName.toUpperCase()],
        ['Date of birth', read.panBirthday],
        ['Permanent account number', maskPan(person.pan)],
      ])}`,
    ),
    aadhaarFront: card(
      '#fdf6ec',
      `${title('GOVERNMENT OF INDIA', '#b85c00')}${portrait(face, 40, 170)}${lines(270, 180, [
        ['Name', read.aadhaarName],
        ['Date of birth', read.aadhaarBirthday],
        ['Sex', person.sex],
      ])}${number(person)}`,
    ),
    aadhaarBack: card(
      '#fdf6ec',
      `${title('UNIQUE IDENTIFICATION', '#b85c00')}${lines(60, 180, [
        ['Address', read.aadhaarStreet],
        ['', read.aadhaarPlace],
      ])}${number(person)}`,
    ),
    liveFace: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480">
      <rect width="480" height="480" fill="${rng.pick(['#b9c7b5', '#c7bfb5', '#aebfcc'])}"/>
      <g transform="translate(60 40) scale(1.8)">${face}</g></svg>`,
  }
}

function card(fill: string, inside: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 500" font-family="sans-serif">
    <rect width="800" height="500" rx="26" fill="${fill}" stroke="#888"/>${inside}</svg>`
}
function title(text: string, fill: string): string {
  return `<rect y="30" width="800" height="70" fill="${fill}"/>
    <text x="400" y="76" font-size="32" text-anchor="middle" fill="#fff">${text}</text>`
}
function portrait(face: string, x: number, y: number): string {
  return `<g transform="translate(${x} ${y})"><rect width="200" height="220" fill="#fff"/>${face}</g>`
}
function lines(x: number, y: number, rows: readonly (readonly [string, string])[]): string {
  return rows
    .map(
      ([label, value], i) =>
        `<text x="${x}" y="${y + i * 84}" font-size="18" fill="#555">${label}</text>
          <text x="${x}" y="${y + 32 + i * 84}" font-size="27">${escaped(value)}</text>`,
    )
    .join('')
}
function number(person: Person): string {
  return `<text x="400" y="470" font-size="38" text-anchor="middle">${maskAadhaar(person.aadhaar.slice(-4))}</text>`
}
function drawFace(rng: Rng, sex: string): string {
  const skin = rng.pick(['#8d5a3a', '#a9714b', '#c08a62', '#d3a27c'])
  const hair = rng.pick(['#1b1410', '#2b1d14', '#3a2a1e'])
  const long =
    sex === 'female' ? `<path d="M40 120q-14 90 10 100h100q24-10 10-100z" fill="${hair}"/>` : ''
  return (
    `${long}<rect x="45" y="175" width="110" height="45" rx="22"
      fill="${rng.pick(['#31557f', '#7f3140', '#3c6b45', '#555'])}"/>
      <ellipse cx="100" cy="115" rx="${rng.int(50, 58)}" ry="${rng.int(62, 70)}" fill="${skin}"/>` +
    `<path d="M42 105q10-80 58-72t58 72q-24-34-58-34t-58 34z" fill="${hair}"/>
      <circle cx="79" cy="112" r="6"/><circle cx="121" cy="112" r="6"/>
      <path d="M82 ${rng.int(148, 154)}q18 ${rng.int(4, 14)} 36 0" fill="none" stroke="#5a2f25" stroke-width="4"/>`
  )
}
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
