/** What a schema cannot say about an application: check digits, days that exist, and pictures that are what they claim to be. */
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { isAadhaar } from './aadhaar.ts'
import type { Application, Photo } from './customer-store.ts'

const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** @throws Problem G422 with a message key per field */
export function checkApplication(input: Application): void {
  const fields: Record<string, string> = {}
  if (!isAadhaar(input.customer.aadhaar)) fields['customer.aadhaar'] = 'checkDigit'
  if (!isRealDay(input.customer.birthday)) fields['customer.birthday'] = 'pattern'
  refuse({ ...fields, ...photoErrors(input.photos ?? []) })
}

/** @throws Problem G422 when the bytes are not of the type named, so that no other kind of file gets in as a picture */
export function checkPhotos(photos: readonly Photo[]): void {
  refuse(photoErrors(photos))
}

function photoErrors(photos: readonly Photo[]): Record<string, string> {
  return Object.fromEntries(photos.flatMap((photo, i) => (isPicture(photo) ? [] : [[`photos.${i}.base64`, 'imageType']])))
}
function isPicture({ mime, base64 }: Photo): boolean {
  const magic = mime === 'image/png' ? PNG : JPEG
  return Buffer.from(base64.slice(0, 16), 'base64').subarray(0, magic.length).equals(magic)
}
function isRealDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) && day >= '1900-01-01'
}
function refuse(fields: Record<string, string>): void {
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
}
