/**
 * Drawn papers that come with what is sent in: upright as a telephone takes them, showing nobody,
 * each saying that it is drawn.
 */
import { formatPaise } from '#shared/kernel/money.ts'
import { istClock, istDay } from '#shared/kernel/time.ts'
import { HOUR } from './life.ts'

const DAY = 24 * HOUR

/** What a payment app shows after a transfer, and that nobody made it. */
export function drawReceipt({
  amount,
  utr,
  paid_at: paidAt,
  channel,
}: {
  amount: number
  utr: string
  paid_at: number
  channel: number
}): string {
  const lines = [
    ['Paid to', 'Loan account'],
    ['Way', channel === 1 ? 'UPI' : 'Bank transfer'],
    ['UTR', utr],
    ['Date', istDay(paidAt)],
    ['Time', `${istClock(paidAt)} IST`],
  ]
  const text = lines
    .map(
      ([label, value], i) =>
        `<text x="70" y="${640 + i * 96}" font-size="28" fill="#667">${label}</text>
          <text x="650" y="${640 + i * 96}" font-size="32" text-anchor="end">${value}</text>`,
    )
    .join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 1280" font-family="sans-serif">
      <rect width="720" height="1280" fill="#f4f6f8"/><rect width="720" height="420" fill="#1b7f4b"/>
      <circle cx="360" cy="170" r="70" fill="#fff"/>` +
    `<path d="M325 170l26 28 46-58" fill="none" stroke="#1b7f4b" stroke-width="14"/>
      <text x="360" y="330" font-size="58" text-anchor="middle" fill="#fff">${formatPaise(amount)}</text>
      <text x="360" y="384" font-size="30" text-anchor="middle" fill="#fff">Payment successful</text>` +
    `<rect x="36" y="460" width="648" height="620" rx="24" fill="#fff"/>
      <text x="70" y="540" font-size="34" font-weight="bold">Payment details</text>${text}
      <text x="360" y="1180" font-size="28" text-anchor="middle" fill="#99a">Drawn sample, no real payment</text>
      </svg>`
  )
}

/** Lines of a bank account without the money that was promised. */
export function drawAccount(at: number, lines: readonly (readonly [string, number])[]): string {
  const rows = lines
    .map(
      ([what, paise], i) =>
        `<rect x="36" y="${300 + i * 150}" width="648" height="126" rx="16" fill="#fff"/>
          <text x="64" y="${354 + i * 150}" font-size="30">${what}</text>
          <text x="64" y="${396 + i * 150}" font-size="24" fill="#667">${istDay(at - i * DAY)}</text>
          <text x="656" y="${370 + i * 150}" font-size="32" text-anchor="end"
            fill="${paise < 0 ? '#a32' : '#1b7f4b'}">${formatPaise(paise)}</text>`,
    )
    .join('')
  return sheet(
    '#eef1f6',
    `<rect width="720" height="230" fill="#24507f"/>
      <text x="40" y="110" font-size="40" fill="#fff">Savings account</text>
      <text x="40" y="166" font-size="28" fill="#cdd9e8">XXXX XXXX XXXX</text>${rows}`,
    'no real account',
  )
}

/** A screen of the app that went wrong. */
export function drawAppFault(at: number, fault: string): string {
  return sheet(
    '#fff',
    `<rect width="720" height="150" fill="#3d4a5c"/>
      <text x="40" y="48" font-size="26" fill="#fff">${istClock(at)}</text>
      <text x="360" y="118" font-size="36" fill="#fff" text-anchor="middle">My loan</text>
      <rect x="60" y="230" width="600" height="150" rx="18" fill="#eef1f6"/>` +
      `<rect x="60" y="410" width="600" height="90" rx="18" fill="#eef1f6"/>
        <circle cx="360" cy="690" r="96" fill="none" stroke="#c0392b" stroke-width="14"/>
        <path d="M360 634v70m0 30v12" stroke="#c0392b" stroke-width="18"/>
        <text x="360" y="880" font-size="38" text-anchor="middle">Something went wrong</text>` +
      `<text x="360" y="940" font-size="28" text-anchor="middle" fill="#667">${fault}</text>
        <rect x="210" y="1010" width="300" height="90" rx="45" fill="#3d4a5c"/>
        <text x="360" y="1066" font-size="30" text-anchor="middle" fill="#fff">Try again</text>`,
    'no real app',
  )
}

/** The call log of a telephone, the latest first. */
export function drawCalls(calls: readonly number[]): string {
  const rows = calls
    .map(
      (at, i) =>
        `<circle cx="90" cy="${290 + i * 140}" r="36" fill="#c7cdd6"/>
          <text x="156" y="${282 + i * 140}" font-size="32" fill="#a32">XXXXXX XX10</text>
          <text x="156" y="${322 + i * 140}" font-size="26" fill="#667">${istDay(at)}</text>
          <text x="664" y="${302 + i * 140}" font-size="30" text-anchor="end">${istClock(at)}</text>`,
    )
    .join('')
  return sheet(
    '#fff',
    `<text x="40" y="150" font-size="52" font-weight="bold">Recent calls</text>${rows}`,
    'no real calls',
  )
}

/** A letter, notice or bill: who writes, and what about. */
export function drawLetter(
  at: number,
  from: string,
  about: string,
  body: readonly string[],
): string {
  const lines = body
    .map((line, i) => `<text x="80" y="${480 + i * 62}" font-size="30">${line}</text>`)
    .join('')
  const rest = Array.from(
    { length: 5 },
    (_, i) =>
      `<rect x="80" y="${520 + (body.length + i) * 62 - 62}" height="12" fill="#d9d5cb"
        width="${i === 4 ? 260 : 560 - (i % 3) * 30}"/>`,
  ).join('')
  return sheet(
    '#fbf9f3',
    `<rect x="80" y="90" width="64" height="64" fill="none" stroke="#444" stroke-width="6"/>
      <path d="M96 138l16-32 16 32z" fill="#444"/>
      <text x="168" y="136" font-size="38" font-weight="bold">${from}</text>
      <path d="M80 190h560" stroke="#444" stroke-width="3"/>` +
      `<text x="640" y="260" font-size="26" text-anchor="end">${istDay(at)}</text>
        <text x="80" y="380" font-size="34" font-weight="bold">${about}</text>${lines}${rest}
        <circle cx="540" cy="1040" r="84" fill="none" stroke="#5b4b9a" stroke-width="6"/>
        <circle cx="540" cy="1040" r="62" fill="none" stroke="#5b4b9a" stroke-width="3"/>` +
      `<text x="540" y="1050" font-size="26" text-anchor="middle" fill="#5b4b9a">SAMPLE</text>`,
    'no real letter',
  )
}

function sheet(fill: string, inside: string, isNone: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 1280" font-family="sans-serif">
    <rect width="720" height="1280" fill="${fill}"/>${inside}
    <text x="360" y="1210" font-size="28" text-anchor="middle" fill="#99a">Drawn sample, ${isNone}</text>
    </svg>`
}
