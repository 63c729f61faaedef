/**
 * Personal data at rest: AES-256-GCM per field, bound to table, column and row so that a value cannot be moved to another
 * row; keyed hashes (HMAC-SHA256) make exact search possible without the value. All keys derive from one master key.
 * Stored form: format (1) | key id (1) | iv (12) | tag (16) | ciphertext.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const FORMAT = 1
const KEY_ID = 1

export interface Secrets {
  /** @param place `table.column`, @param rowId the row the value belongs to */
  seal(place: string, rowId: string, value: string): Buffer
  /** @throws Error when the bytes are not of this place and row, or were changed */
  open(place: string, rowId: string, sealed: Buffer): string
  /** Keyed hash of a normalised value for exact search; `kind` keeps equal values of different fields apart. */
  blindIndex(kind: string, value: string): Buffer
  /** Signature of a link or message, base64url. */
  sign(purpose: string, text: string): string
}

/** @param masterKey 32 bytes. @throws RangeError for another length */
export function secretsOf(masterKey: Buffer): Secrets {
  if (masterKey.length !== 32) throw new RangeError('the master key has 32 bytes')
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), info, 32))
  const fieldKey = derive('field-encryption')
  const indexKey = derive('blind-index')
  const signKey = derive('signature')
  return {
    seal(place, rowId, value) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', fieldKey, iv)
      cipher.setAAD(Buffer.from(`${place}:${rowId}`))
      const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([FORMAT, KEY_ID]), iv, cipher.getAuthTag(), text])
    },
    open(place, rowId, sealed) {
      if (sealed[0] !== FORMAT || sealed[1] !== KEY_ID) throw new Error('sealed with an unknown format or key')
      const decipher = createDecipheriv('aes-256-gcm', fieldKey, sealed.subarray(2, 14))
      decipher.setAAD(Buffer.from(`${place}:${rowId}`))
      decipher.setAuthTag(sealed.subarray(14, 30))
      return Buffer.concat([decipher.update(sealed.subarray(30)), decipher.final()]).toString('utf8')
    },
    blindIndex: (kind, value) => createHmac('sha256', indexKey).update(`${kind}\n${value}`).digest(),
    sign: (purpose, text) => createHmac('sha256', signKey).update(`${purpose}\n${text}`).digest('base64url'),
  }
}
