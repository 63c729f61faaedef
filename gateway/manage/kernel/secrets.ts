/**
 * Personal data at rest: AES-256-GCM per field, bound to table, column and row so that a value
 * cannot be moved to another row; keyed hashes (HMAC-SHA256) make exact search possible without the
 * value. Hashes and signatures derive from the master key for good: an Aadhaar number is not
 * stored, so its hash cannot be made again. What seals can be replaced: seal keys have numbers, the
 * master key is number 1, and `reseal-job.ts` moves what an earlier one sealed. Stored form: format
 * (1) | key id (1) | iv (12) | tag (16) | ciphertext.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const FORMAT = 1
/** Number of the master key among those that seal. */
const MASTER = 1

export interface SealKey {
  /** 2 to 255; is in every value it sealed. */
  id: number
  /** 32 bytes. */
  key: Buffer
}

export interface Secrets {
  /** Number of the key that seals now. */
  readonly sealKeyId: number
  /** Every key there is; a fingerprint identifies a key and reveals nothing else about it. */
  readonly keys: readonly { id: number; fingerprint: string }[]
  /** A value that opens with the key of that number only. */
  sealWith(keyId: number, place: string, rowId: string, value: string): Buffer
  /** @param place `table.column`, @param rowId the row the value belongs to */
  seal(place: string, rowId: string, value: string): Buffer
  /** @throws Error when the bytes are not of this place and row, or were changed */
  open(place: string, rowId: string, sealed: Buffer): string
  /**
   * Keyed hash of a normalised value for exact search; `kind` keeps equal values of different
   * fields apart.
   */
  blindIndex(kind: string, value: string): Buffer
  /** Signature of a link or message, base64url. */
  sign(purpose: string, text: string): string
}

/**
 * @param masterKey 32 bytes
 * @param sealKeys keys beside it that seal or have sealed; every process that opens values needs
 * all of them
 * @param sealWith number of the one that seals; the highest when left out
 * @throws RangeError for another length, a number that is taken or out of range, or an unknown
 * `sealWith`
 */
export function secretsOf(
  masterKey: Buffer,
  sealKeys: readonly SealKey[] = [],
  sealWith: number = Math.max(MASTER, ...sealKeys.map(({ id }) => id)),
): Secrets {
  if (masterKey.length !== 32) throw new RangeError('the master key has 32 bytes')
  const derive = (info: string, from = masterKey) =>
    Buffer.from(hkdfSync('sha256', from, Buffer.alloc(0), info, 32))
  const fingerprintOf = (key: Buffer) => derive('fingerprint', key).toString('hex').slice(0, 16)
  const fieldKeys = new Map([[MASTER, derive('field-encryption')]])
  for (const { id, key } of sealKeys) {
    if (!Number.isInteger(id) || id <= MASTER || id > 255 || fieldKeys.has(id) || key.length !== 32)
      throw new RangeError(`seal key ${id} needs a number of its own from 2 to 255 and 32 bytes`)
    fieldKeys.set(id, derive('field-encryption', key))
  }
  if (!fieldKeys.has(sealWith)) throw new RangeError(`there is no seal key ${sealWith}`)
  const indexKey = derive('blind-index')
  const signKey = derive('signature')
  const seal: Secrets['sealWith'] = (keyId, place, rowId, value) => {
    const key = fieldKeys.get(keyId)
    if (!key) throw new RangeError(`there is no seal key ${keyId}`)
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    cipher.setAAD(Buffer.from(`${place}:${rowId}`))
    const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from([FORMAT, keyId]), iv, cipher.getAuthTag(), text])
  }
  return {
    sealKeyId: sealWith,
    keys: [
      { id: MASTER, fingerprint: fingerprintOf(masterKey) },
      ...sealKeys.map(({ id, key }) => ({ id, fingerprint: fingerprintOf(key) })),
    ],
    sealWith: seal,
    seal: (place, rowId, value) => seal(sealWith, place, rowId, value),
    open(place, rowId, sealed) {
      const fieldKey = sealed[0] === FORMAT ? fieldKeys.get(sealed[1] ?? 0) : undefined
      if (!fieldKey) throw new Error('sealed with an unknown format or key')
      const decipher = createDecipheriv('aes-256-gcm', fieldKey, sealed.subarray(2, 14))
      decipher.setAAD(Buffer.from(`${place}:${rowId}`))
      decipher.setAuthTag(sealed.subarray(14, 30))
      return Buffer.concat([decipher.update(sealed.subarray(30)), decipher.final()]).toString(
        'utf8',
      )
    },
    blindIndex: (kind, value) =>
      createHmac('sha256', indexKey).update(`${kind}\n${value}`).digest(),
    sign: (purpose, text) =>
      createHmac('sha256', signKey).update(`${purpose}\n${text}`).digest('base64url'),
  }
}
