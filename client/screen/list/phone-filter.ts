/** A phone number typed into a filter: lists find whole numbers only. */

const PHONE = /^[6-9]\d{9}$/

/** `+91 98765 43210`, `098765-43210` → ten digits. */
export function plainPhone(text: string): string {
  return text.replace(/\D/g, '').replace(/^(?:91(?=\d{10}$)|0(?=\d{10}$))/, '')
}

export function isPhone(digits: string): boolean {
  return PHONE.test(digits)
}

/** @returns ten digits; undefined when none is asked for, null when what is asked can match nothing */
export function wholePhone(text: unknown): string | null | undefined {
  if (typeof text !== 'string') return undefined
  const digits = plainPhone(text)
  return isPhone(digits) ? digits : null
}
