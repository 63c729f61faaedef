/** Converts between what an input shows and what the form holds. */
import { formatPaise } from '#shared/kernel/money.ts'

const IST_OFFSET_MS = 5.5 * 3_600_000

/** Paise → the text of a rupee input, without the sign and without `.00`. */
export function rupeeText(paise: unknown): string {
  return typeof paise === 'number' && Number.isSafeInteger(paise)
    ? formatPaise(paise).replace('₹', '').replace(/\.00$/, '')
    : ''
}

/** ISO instant → `YYYY-MM-DDTHH:MM` in India time. */
export function istInputOfIso(iso: unknown): string {
  const ms = typeof iso === 'string' ? Date.parse(iso) : Number.NaN
  return Number.isNaN(ms) ? '' : new Date(ms + IST_OFFSET_MS).toISOString().slice(0, 16)
}

/** `YYYY-MM-DDTHH:MM`, meant as India time → ISO instant; null for anything else. */
export function isoOfIstInput(text: string): string | null {
  // Date.parse alone accepts nearly any text as some date.
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms - IST_OFFSET_MS).toISOString()
}
