/** A version 4 UUID. `crypto.randomUUID` is missing on plain http, as on a pilot installation. */
export function uuid(): string {
  const b = crypto.getRandomValues(new Uint8Array(16))
  b[6] = ((b[6] as number) & 0x0f) | 0x40
  b[8] = ((b[8] as number) & 0x3f) | 0x80
  const hex = [...b].map((x) => x.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/**
 * Identifies this page load to the server, so that the tab recognises the echo of its own change.
 * Not stored, because a duplicated tab must have its own.
 */
export const CLIENT_ID = uuid()
