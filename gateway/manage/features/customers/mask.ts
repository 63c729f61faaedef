/** Masked forms of personal values: the same in lists, socket events, exports and search echoes. */

export function maskPhone(last4: string): string {
  return `XXXXXX${last4}`
}

export function maskAadhaar(last4: string): string {
  return `XXXX XXXX ${last4}`
}

export function maskAccount(last4: string): string {
  return `XXXXXX${last4}`
}

/** `ABCPK1234F` → `AB******4F`. A shorter text (a misread document) is masked completely. */
export function maskPan(pan: string): string {
  if (pan.length < 8) return '*'.repeat(pan.length)
  return `${pan.slice(0, 2)}${'*'.repeat(pan.length - 4)}${pan.slice(-2)}`
}

/** `rahul.k@example.in` → `r***@example.in`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '***' : `${email.slice(0, 1)}***${email.slice(at)}`
}

/** Of an address only city and PIN code are shown. */
export function maskAddress(city: string | null, postcode: string | null): string | null {
  return [city, postcode].filter((part) => part !== null && part !== '').join(' ') || null
}

const PIN_CODE = /(?<!\d)[1-9]\d{5}(?!\d)/g
const STATES = new Set(
  `andhra pradesh,arunachal pradesh,assam,bihar,chhattisgarh,goa,gujarat,haryana,himachal pradesh,
  jharkhand,karnataka,kerala,madhya pradesh,maharashtra,manipur,meghalaya,mizoram,nagaland,odisha,
  punjab,rajasthan,sikkim,tamil nadu,telangana,tripura,uttar pradesh,uttarakhand,west bengal,delhi,
  jammu and kashmir,ladakh,puducherry,chandigarh,india`
    .split(',')
    .map((state) => state.trim()),
)

/** City and PIN code of an address read from a document; the rest is dropped. */
export function maskAddressText(address: string): string | null {
  const pin = address.match(PIN_CODE)?.at(-1) ?? null
  const places = address
    .split(/[,\n]/)
    .map((part) =>
      part
        .replace(/[^\p{L}\p{M} .'-]/gu, ' ')
        .replace(/\s+/g, ' ')
        .replace(/[ .'-]+$/, '')
        .trim(),
    )
    .filter((part) => part !== '')
  const city = places.filter((place) => !STATES.has(place.toLowerCase())).at(-1) ?? null
  return maskAddress(city?.slice(0, 40) ?? null, pin)
}
